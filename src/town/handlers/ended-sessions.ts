/** Sessions that ended and wait to be summed up: written by their last event, finished by the deacon (`handlers/session-end.json`). */
import { checkedBy, listOf, objectOf, text, time } from '../../domain/shape.ts';
import { toIso } from '../../domain/time.ts';
import type { LockOptions } from '../../store/lock.ts';
import { handlerSlot, readState, type StatePlace, writeState } from '../state.ts';

export interface EndedSession {
  session_id: string;
  agent_id: string;
  reason: string;
  at: string;
}

const shape = checkedBy<{ ended: EndedSession[] }>(
  objectOf({ ended: listOf(objectOf({ session_id: text, agent_id: text, reason: text, at: time })) }),
);
const slotOf = (place: StatePlace) => handlerSlot(place, 'session-end', null, shape);

export function endedSessions(place: StatePlace): readonly EndedSession[] {
  const read = readState(place, slotOf(place));
  return read.kind === 'ok' ? read.value.ended : [];
}

/** Some runtimes tell an end several times: the last word stands. */
export const noteEnd = (place: StatePlace, ended: Omit<EndedSession, 'at'>, now: number, options?: LockOptions) =>
  writeState(
    place,
    slotOf(place),
    (current) => ({
      ended: [
        ...(current?.ended ?? []).filter((one) => one.session_id !== ended.session_id),
        { ...ended, at: toIso(now) },
      ].slice(-200),
    }),
    options,
  );

export const forgetEnds = (place: StatePlace, done: readonly EndedSession[]) =>
  writeState(place, slotOf(place), (current) =>
    current === null
      ? null
      : {
          ended: current.ended.filter(
            (one) => !done.some(({ session_id, at }) => session_id === one.session_id && at === one.at),
          ),
        },
  );
