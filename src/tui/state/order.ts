/** Orders of the table. Ties go by name, so that rows move only for a reason. */
import type { AgentState } from '../../domain/status.ts';
import type { AgentView } from '../../domain/view.ts';

export const sortOrders = ['attention', 'name', 'age', 'state', 'runtime'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** Who needs a human comes first, then what waits to be looked at, then what goes well. */
const attentionRanks: Record<AgentState, number> = {
  asking: 0,
  dialog: 1,
  escalated: 2,
  failed: 3,
  dead: 4,
  crashlooping: 5,
  stalled: 6,
  limited: 7,
  unknown: 8,
  backoff: 9,
  done: 10,
  pending: 11,
  working: 12,
  spawning: 13,
  idle: 14,
  paused: 15,
  stopped: 16,
};

export const byAttention = (a: AgentState, b: AgentState): number => attentionRanks[a] - attentionRanks[b];

const humanStates: ReadonlySet<AgentState> = new Set<AgentState>([
  'asking',
  'dialog',
  'escalated',
  'failed',
  'dead',
  'crashlooping',
  'stalled',
]);

export const needsHuman = (agent: AgentView): boolean =>
  humanStates.has(agent.state) || agent.escalated || agent.hook.status === 'corrupt';

const byName = new Intl.Collator('en', { numeric: true });
const compare = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

const keys: Record<SortOrder, (agent: AgentView) => number | string> = {
  attention: (agent) => (needsHuman(agent) ? Math.min(attentionRanks[agent.state], 8) : attentionRanks[agent.state]),
  name: () => 0,
  age: (agent) => -(agent.activity_at ?? 0),
  state: (agent) => agent.state,
  runtime: (agent) => agent.runtime,
};

export function sortAgents(agents: readonly AgentView[], order: SortOrder): AgentView[] {
  const key = keys[order];
  return [...agents].sort((a, b) => compare(key(a), key(b)) || byName.compare(a.agent_id, b.agent_id));
}
