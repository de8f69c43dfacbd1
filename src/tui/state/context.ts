/** What an action looks at: the town, the operator's state, and the rows as shown (sorted and filtered). */
import type { AgentView, TownView } from '../../domain/view.ts';
import type { Effect } from './effects.ts';
import type { UiState } from './ui-state.ts';

export interface Context {
  view: TownView;
  ui: UiState;
  rows: readonly AgentView[];
}

/** What a key makes of it. */
export interface Step {
  ui: UiState;
  effects: readonly Effect[];
}

export const selectedAgent = ({ view, ui }: Context): AgentView | null =>
  view.agents.find((agent) => agent.agent_id === ui.selected) ?? null;

/** The marked agents, or else the selected one. */
export function targetAgents(context: Context): readonly AgentView[] {
  const marked = context.view.agents.filter((agent) => context.ui.marks.has(agent.agent_id));
  if (marked.length > 0) return marked;
  const selected = selectedAgent(context);
  return selected === null ? [] : [selected];
}

export const isRunning = (agent: AgentView): boolean =>
  agent.pane_id !== null && agent.state !== 'stopped' && agent.state !== 'dead';

/** `polecat-alpha`, or `3 agents (a, b, c)`. */
export function nameAgents(agents: readonly AgentView[]): string {
  const [first] = agents;
  if (first !== undefined && agents.length === 1) return first.agent_id;
  return `${agents.length} agents (${agents.map((agent) => agent.agent_id).join(', ')})`;
}

export const workOf = (agent: AgentView): { bead_id: string; title: string } | null =>
  agent.hook.status === 'corrupt' ? null : agent.hook.work_item;

export const openDialog = (context: Context, dialog: UiState['dialog']): Step => ({
  ui: { ...context.ui, dialog, message: null },
  effects: [],
});

export const change = (context: Context, fields: Partial<UiState>): Step => ({
  ui: { ...context.ui, ...fields },
  effects: [],
});

export const ask = (context: Context, question: string, consequence: string, effect: Effect): Step =>
  openDialog(context, { kind: 'confirm', question, consequence, effect });

export const perform = (context: Context, ...effects: Effect[]): Step => ({
  ui: { ...context.ui, message: null },
  effects,
});
