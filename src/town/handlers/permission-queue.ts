/** Requests for permission that wait in the control pane for a few seconds: `handlers/permission-handler/<request>.json`. */
import { existsSync } from 'node:fs';
import { conflict, refused } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { checkedBy, objectOf, oneOf, orNull, text, time } from '../../domain/shape.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import { listNames } from '../../store/atomic-write.ts';
import type { LockOptions } from '../../store/lock.ts';
import { handlerSlot, readState, removeState, type StatePlace, writeState } from '../state.ts';

export interface PermissionRequest {
  request_id: string;
  agent_id: string;
  session_id: string;
  tool: string;
  /** The command, the file, or whatever the call is about; one line. */
  what: string;
  at: string;
  /** The runtime asks by itself from then on. */
  until: string;
  answer: { behavior: 'allow' | 'deny'; by: string; at: string } | null;
}

const shape = checkedBy<PermissionRequest>(
  objectOf({
    request_id: text,
    agent_id: text,
    session_id: text,
    tool: text,
    what: text,
    at: time,
    until: time,
    answer: orNull(objectOf({ behavior: oneOf(['allow', 'deny']), by: text, at: time })),
  }),
);

const slotOf = (place: StatePlace, id: string) => handlerSlot(place, 'permission-handler', id, shape);
export const permissionFolder = ({ paths }: StatePlace): string =>
  paths.handlerSessionState('permission-handler', 'x').slice(0, -'/x.json'.length);

export const openRequest = (place: StatePlace, request: PermissionRequest, options?: LockOptions) =>
  writeState(place, slotOf(place, request.request_id), (current) => (current === null ? request : null), options);

/** The human's answer, or null while there is none. */
export function answerTo(place: StatePlace, id: string): PermissionRequest['answer'] {
  const read = readState(place, slotOf(place, id));
  return read.kind === 'ok' ? read.value.answer : null;
}

/** Takes it off the queue, and answers what came in the last moment. */
export async function closeRequest(
  place: StatePlace,
  id: string,
  options?: LockOptions,
): Promise<PermissionRequest['answer']> {
  let last: PermissionRequest['answer'] = null;
  await removeState(
    place,
    slotOf(place, id),
    (read) => {
      last = read.kind === 'ok' ? read.value.answer : null;
      return true;
    },
    options,
  );
  return last;
}

/** Oldest first; only those that still wait. */
export function waitingRequests(place: StatePlace, now: number): PermissionRequest[] {
  const folder = permissionFolder(place);
  if (!existsSync(folder)) return [];
  return listNames(folder)
    .filter((name) => name.endsWith('.json') && isId('session', name.slice(0, -5)))
    .flatMap((name) => {
      const read = readState(place, slotOf(place, name.slice(0, -5)));
      return read.kind === 'ok' && read.value.answer === null && (parseTime(read.value.until) ?? 0) > now
        ? [read.value]
        : [];
    })
    .sort((a, b) => (a.at < b.at ? -1 : 1));
}

/** Throws exit 3 when the request waits no more: then the runtime asks in its own pane. Exit 5 when it is answered already. */
export async function answerRequest(
  place: StatePlace,
  id: string,
  behavior: 'allow' | 'deny',
  by: string,
  now: number,
): Promise<PermissionRequest> {
  const gone = refused('this request waits no more', 'answer it in the pane of its agent');
  const written = await writeState(place, slotOf(place, id), (current) => {
    if (current === null || (parseTime(current.until) ?? 0) <= now) throw gone;
    if (current.answer !== null) throw conflict(`${id} is answered already: ${current.answer.behavior}`);
    return { ...current, answer: { behavior, by, at: toIso(now) } };
  });
  if (written.value === null) throw gone;
  return written.value;
}
