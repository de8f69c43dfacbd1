/**
 * The one pair by which the state of modes and of event handlers is read and written: `readState`, `writeState`. Both
 * name a slot; a slot says where it lies and what it has to be. Writing is lock, read again, change, write (DESIGN
 * section 5), so that whoever writes back what it read earlier finds out that it is gone.
 */
import type { Checked } from '../domain/shape.ts';
import type { LockOptions } from '../store/lock.ts';
import type { StatePaths } from '../store/paths.ts';
import { type RecordRead, readRecord, removeRecord, type Updated, updateRecord } from '../store/record.ts';

export interface StateSlot<T> {
  path: string;
  schema: Checked<T>;
  /** False: not waited for until it is on the disk, for what means nothing after a power cut. */
  flush: boolean;
}

/** Whoever has the paths of a town: its store, or the smaller one of an event. */
export interface StatePlace {
  readonly paths: StatePaths;
}

const placeOf = <T>({ paths }: StatePlace, { path, schema, flush }: StateSlot<T>) => ({
  stateDir: paths.stateDir,
  path,
  schema,
  idKey: null,
  flush,
});

/** Absent, fine, corrupt and unreadable are four answers; nothing is locked. */
export const readState = <T>(store: StatePlace, slot: StateSlot<T>): RecordRead<T> => readRecord(placeOf(store, slot));

/**
 * `change` gets what is there now (null: nothing) and answers what shall be there, or null for "no change": it must never
 * answer a record for null unless it begins something new. Throws exit 4 for a corrupt one, exit 3 for a lock held on.
 */
export const writeState = <T>(
  store: StatePlace,
  slot: StateSlot<T>,
  change: (current: T | null) => T | null,
  options?: LockOptions,
): Promise<Updated<T>> => updateRecord(placeOf(store, slot), change, options);

/** Removes it where `onlyIf` holds for what lies there under the lock; answers whether it did. */
export const removeState = <T>(
  store: StatePlace,
  slot: StateSlot<T>,
  onlyIf?: (read: RecordRead<T>) => boolean,
  options?: LockOptions,
): Promise<boolean> => removeRecord(placeOf(store, slot), onlyIf, options);

/** What the handler of that name keeps, for the whole town or for one session: `handlers/<name>[/<session>].json`. */
export const handlerSlot = <T>(
  { paths }: StatePlace,
  handler: string,
  sessionId: string | null,
  schema: Checked<T>,
): StateSlot<T> => ({
  path: sessionId === null ? paths.handlerState(handler) : paths.handlerSessionState(handler, sessionId),
  schema,
  flush: false,
});
