/** What comes from outside: a new view, actions that begin and end, lines of the preview, mail. */
import type { Measures } from '../../domain/measures.ts';
import type { Mail } from '../../domain/records.ts';
import type { ActionResult, AgentView } from '../../domain/view.ts';
import type { UiState } from './ui-state.ts';

/** The selection stays with its agent. When that is gone, it goes to the row that took its place. */
export function followSelection(ui: UiState, before: readonly AgentView[], after: readonly AgentView[]): UiState {
  if (ui.selected !== null && after.some((agent) => agent.agent_id === ui.selected)) return ui;
  const index = before.findIndex((agent) => agent.agent_id === ui.selected);
  const next = after[Math.min(Math.max(0, index), after.length - 1)]?.agent_id ?? null;
  return next === ui.selected ? ui : { ...ui, selected: next };
}

/** `agentId` is '' for actions of the town. */
export function startAction(ui: UiState, agentId: string, action: string): UiState {
  const running = new Map(ui.running).set(agentId, action);
  return { ...ui, running };
}

export interface Answer {
  action: string;
  result: ActionResult;
  at: number;
  bead?: string | undefined;
}

export function finishAction(ui: UiState, agentId: string, { action, result, at, bead = '' }: Answer): UiState {
  const running = new Map(ui.running);
  if (running.get(agentId) === action) running.delete(agentId);
  const receipts = agentId === '' ? ui.receipts : new Map(ui.receipts).set(agentId, { action, result, at });
  const subject = [action, bead, agentId].filter(Boolean).join(' ');
  return { ...ui, running, receipts, message: { text: `${subject}: ${resultText(result)}`, kind: resultTone(result) } };
}

export function resultText(result: ActionResult): string {
  switch (result.kind) {
    case 'done':
      return result.text;
    case 'verified':
      return `verified (${result.proof})`;
    default:
      return `${result.kind}: ${result.why}`;
  }
}

function resultTone(result: ActionResult): 'good' | 'wait' | 'alarm' {
  if (result.kind === 'failed') return 'alarm';
  return result.kind === 'done' || result.kind === 'verified' ? 'good' : 'wait';
}

export const showPeek = (ui: UiState, agent: string, lines: readonly string[], error: string | null): UiState => {
  const same =
    ui.peeked?.agent === agent &&
    ui.peeked.error === error &&
    ui.peeked.lines.length === lines.length &&
    ui.peeked.lines.every((line, index) => line === lines[index]);
  return same || !ui.peeking ? ui : { ...ui, peeked: { agent, lines, error } };
};

export const showMeasures = (ui: UiState, measures: Measures): UiState => ({ ...ui, measures });
export const showMail = (ui: UiState, mail: readonly Mail[]): UiState => ({ ...ui, mail });
