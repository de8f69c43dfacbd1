/** The subagents of a session, as its events tell of them: `handlers/subagent-tracker/<session>.json`. */
import { checkedBy, listOf, number, objectOf, orNull, text } from '../../domain/shape.ts';
import { handlerSlot, readState, type StatePlace } from '../state.ts';

export interface Subagent {
  id: string;
  type: string;
  /** What it was asked to do, in a few words; empty where nothing tells. */
  task: string;
  /** The subagent that started it; null: the session itself. */
  parent: string | null;
  started_at: string;
  ended_at: string | null;
  /** `completed`, `lost` (its end was never told), or null while it runs. */
  outcome: string | null;
  /** Its last words, cut. */
  summary: string;
}

export interface Subagents {
  agents: Subagent[];
  /** Calls of the agent tool whose subagent has not begun yet, oldest first. */
  called: { type: string; task: string; parent: string | null }[];
  total: number;
}

const shape = checkedBy<Subagents>(
  objectOf({
    agents: listOf(
      objectOf({ id: text, type: text, task: text, parent: orNull(text), started_at: text, ended_at: orNull(text) }),
    ),
    called: listOf(objectOf({ type: text, task: text, parent: orNull(text) })),
    total: number,
  }),
);

export const subagentsSlot = (place: StatePlace, sessionId: string) =>
  handlerSlot(place, 'subagent-tracker', sessionId, shape);

export const noSubagents: Subagents = { agents: [], called: [], total: 0 };

export function subagentsOf(place: StatePlace, sessionId: string): Subagents {
  const read = readState(place, subagentsSlot(place, sessionId));
  return read.kind === 'ok' ? read.value : noSubagents;
}
