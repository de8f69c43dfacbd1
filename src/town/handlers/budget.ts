/** Text that is injected once a session and within a budget of bytes: what it says is remembered, not said again (seed 004). */
import { createHash } from 'node:crypto';
import { byteLength } from '../../domain/quote.ts';
import { checkedBy, objectOf } from '../../domain/shape.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { handlerSlot, removeState, type StatePlace, writeState } from '../state.ts';

interface Injected {
  /** By key, the hash of the text that was given. */
  given: Record<string, string>;
  /** By handler. */
  bytes: Record<string, number>;
}

const shape = checkedBy<Injected>(objectOf({ given: objectOf({}), bytes: objectOf({}) }));
const slotOf = (place: StatePlace, sessionId: string) => handlerSlot(place, 'injected', sessionId, shape);

export interface Offer {
  /** The same key with the same text is given once. */
  key: string;
  text: string;
}

/** The offers that are new to the session and still fit, in their order; they count as given from now on. */
export async function takeOnce(
  place: StatePlace,
  { sessionId, handler, limitBytes }: { sessionId: string; handler: string; limitBytes: number },
  offers: readonly Offer[],
): Promise<string[]> {
  if (offers.length === 0) return [];
  let taken: string[] = [];
  await writeState(
    place,
    slotOf(place, sessionId),
    (current) => {
      taken = [];
      const given = { ...current?.given };
      let used = current?.bytes[handler] ?? 0;
      for (const { key, text } of offers) {
        const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
        const bytes = byteLength(text);
        if (given[key] === hash || used + bytes > limitBytes) continue;
        given[key] = hash;
        used += bytes;
        taken.push(text);
      }
      return taken.length === 0 ? null : { given, bytes: { ...current?.bytes, [handler]: used } };
    },
    { waitMs: eventLockWaitMs },
  );
  return taken;
}

/** A session that was compacted has lost what it was given. */
export const forgetGiven = (place: StatePlace, sessionId: string): Promise<boolean> =>
  removeState(place, slotOf(place, sessionId), undefined, { waitMs: eventLockWaitMs });
