/** Sessions whose messages no longer fit together: `handlers/thinking-block-validator/<session>.json`. */
import { checkedBy, objectOf, text } from '../../domain/shape.ts';
import { handlerSlot, readState, type StatePlace } from '../state.ts';

const shape = checkedBy<{ error: string; at: string }>(objectOf({ error: text, at: text }));

export const brokenSlot = (place: StatePlace, sessionId: string) =>
  handlerSlot(place, 'thinking-block-validator', sessionId, shape);

/** In words what helps; null for a sound session. */
export function brokenAdvice(place: StatePlace, sessionId: string): string | null {
  const read = readState(place, brokenSlot(place, sessionId));
  return read.kind === 'ok' ? 'its conversation is broken: /clear in its pane, or stop it and start it afresh' : null;
}
