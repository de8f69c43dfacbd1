/** The filter of the table: words that must all match; a state word matches that state alone; `!` or `-` turns one round. */
import { agentStates } from '../../domain/status.ts';
import type { AgentView } from '../../domain/view.ts';
import { needsHuman } from './order.ts';

const stateWords: ReadonlySet<string> = new Set(agentStates);
const hookWords: ReadonlySet<string> = new Set(['empty', 'active', 'completed', 'corrupt']);

export function filterAgents(
  agents: readonly AgentView[],
  filter: string,
  marks: ReadonlySet<string>,
): readonly AgentView[] {
  const terms = filter.toLowerCase().split(/\s+/).filter(Boolean).map(parseTerm);
  if (terms.length === 0) return agents;
  return agents.filter((agent) => terms.every(({ word, negated }) => matches(agent, word, marks) !== negated));
}

function parseTerm(term: string): { word: string; negated: boolean } {
  const negated = term.length > 1 && (term.startsWith('!') || term.startsWith('-'));
  return { word: negated ? term.slice(1) : term, negated };
}

function matches(agent: AgentView, word: string, marks: ReadonlySet<string>): boolean {
  if (word === '!' || word === '-') return true;
  if (word === 'attention') return needsHuman(agent);
  if (word === 'marked') return marks.has(agent.agent_id);
  if (stateWords.has(word)) return agent.state === word;
  if (hookWords.has(word)) return agent.hook.status === word;
  const work = agent.hook.status === 'corrupt' ? null : agent.hook.work_item;
  return [
    agent.agent_id,
    agent.state,
    agent.runtime,
    agent.role,
    agent.branch,
    work?.bead_id,
    work?.title,
    agent.detail,
  ].some((text) => text?.toLowerCase().includes(word) === true);
}
