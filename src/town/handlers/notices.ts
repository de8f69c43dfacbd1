/** What waits to be told to a human who is not looking: written by events, told by the deacon (`handlers/background-notification.json`). */

import { checkedBy, listOf, objectOf, text, time } from '../../domain/shape.ts';
import { cleanLine } from '../../domain/text.ts';
import { toIso } from '../../domain/time.ts';
import type { LockOptions } from '../../store/lock.ts';
import { handlerSlot, readState, type StatePlace, writeState } from '../state.ts';

export interface Notice {
  agent_id: string;
  /** `permission`, `waiting`, `failed`. */
  kind: string;
  text: string;
  at: string;
}

export interface Notices {
  waiting: Notice[];
  /** By agent, when it was last told. */
  told: Record<string, string>;
}

const shape = checkedBy<Notices>(
  objectOf({ waiting: listOf(objectOf({ agent_id: text, kind: text, text, at: time })), told: objectOf({}) }),
);
export const noticesSlot = (place: StatePlace) => handlerSlot(place, 'background-notification', null, shape);

export function noticesOf(place: StatePlace): Notices {
  const read = readState(place, noticesSlot(place));
  return read.kind === 'ok' ? read.value : { waiting: [], told: {} };
}

/** A later notice of the same agent and kind stands for the earlier one. */
export const leaveNotice = (place: StatePlace, notice: Omit<Notice, 'at'>, now: number, options?: LockOptions) =>
  writeState(
    place,
    noticesSlot(place),
    (current) => {
      const others = (current?.waiting ?? []).filter(
        (one) => one.agent_id !== notice.agent_id || one.kind !== notice.kind,
      );
      const next = { ...notice, text: cleanLine(notice.text).slice(0, 200), at: toIso(now) };
      return { waiting: [...others, next].slice(-100), told: { ...current?.told } };
    },
    options,
  );
