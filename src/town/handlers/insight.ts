/** What the handlers have found out about a session, for its agent's row. */
import type { SessionInsight, SubagentView } from '../../domain/handlers/view.ts';
import { noInsight } from '../../domain/handlers/view.ts';
import type { StatePlace } from '../state.ts';
import { brokenAdvice } from './broken.ts';
import { gaugeOf } from './context-gauge.ts';
import { type Subagent, subagentsOf } from './subagents.ts';

/** Of those that ended so many are shown, the last ones. */
const endedShown = 3;

export function insightOf(place: StatePlace, sessionId: string | null): SessionInsight {
  if (sessionId === null) return noInsight;
  const { agents } = subagentsOf(place, sessionId);
  return {
    context: gaugeOf(place, sessionId)?.percent ?? null,
    subagents: agents.length === 0 ? noInsight.subagents : treeOf(agents),
    advice: brokenAdvice(place, sessionId),
  };
}

function treeOf(agents: readonly Subagent[]): SubagentView[] {
  const ended = agents.filter(({ ended_at }) => ended_at !== null).slice(-endedShown);
  const shown = agents.filter((one) => one.ended_at === null || ended.includes(one));
  const below = (parent: string | null, depth: number): SubagentView[] =>
    shown
      .filter((one) => (shown.some(({ id }) => id === one.parent) ? one.parent : null) === parent)
      .flatMap((one) => [toView(one, depth), ...(depth < 8 ? below(one.id, depth + 1) : [])]);
  return below(null, 0);
}

const toView = ({ id, type, task, started_at, outcome }: Subagent, depth: number): SubagentView => ({
  id,
  type,
  task,
  depth,
  started_at,
  outcome,
});
