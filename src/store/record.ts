/**
 * One JSON record on disk. Reading has four answers and never locks; changing is lock, read again, check, write
 * (DESIGN section 5). A corrupt record is copied to quarantine, left where it is, and waits for a human.
 */
import { readFileSync, statSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, unreadable } from '../domain/errors.ts';
import { toRecordText } from '../domain/json.ts';
import type { Checked } from '../domain/shape.ts';
import { writeAllAtomic, writeAtomic } from './atomic-write.ts';
import { type LockOptions, withLock } from './lock.ts';
import { code } from './process-identity.ts';
import { quarantine, recordName } from './quarantine.ts';
import { freeze, recall, remember } from './record-cache.ts';

/** Where a record lies and what it has to be. */
export interface Place<T> {
  stateDir: string;
  /** Absolute, below `stateDir`. */
  path: string;
  schema: Checked<T>;
  /** The key whose value must equal the file's name; null where the name is fixed. */
  idKey: string | null;
  /** False: not waited for until it is on the disk; for what means nothing after a power cut. */
  flush?: boolean;
}

export type RecordRead<T> =
  | { kind: 'absent' }
  | { kind: 'ok'; value: T }
  /** `quarantine`: path of the copy; null when no copy could be made. */
  | { kind: 'corrupt'; reason: string; quarantine: string | null }
  /** The system would not let us look: permissions, not a file, an I/O error. */
  | { kind: 'unreadable'; reason: string };

export type Updated<T> = { changed: true; value: T } | { changed: false; value: T | null };

const recordLimitBytes = 1_048_576;

/**
 * Reads one record; its value is frozen. An unchanged file is not parsed again: whoever watches a thousand agents pays
 * for what changed, and gets the very same object for what did not.
 */
export function readRecord<T>(place: Place<T>): RecordRead<T> {
  return read(place, true);
}

function read<T>(place: Place<T>, fromCache: boolean): RecordRead<T> {
  try {
    const stat = statSync(place.path, { throwIfNoEntry: false });
    if (stat === undefined) {
      const reason = inTheWay(place.path);
      return reason === null ? { kind: 'absent' } : { kind: 'unreadable', reason };
    }
    const known = fromCache ? recall<RecordRead<T>>(place, stat) : null;
    if (known !== null) return known;
    if (!stat.isFile()) return { kind: 'unreadable', reason: 'not a regular file' };
    if (stat.size > recordLimitBytes) return corrupt(place, 'larger than 1 MiB');
    const parsed = parseRecord(readFileSync(place.path, 'utf8'), place);
    if (typeof parsed === 'string') return corrupt(place, parsed);
    return remember<RecordRead<T>>(place, stat, { kind: 'ok', value: freeze(parsed.value) });
  } catch (error) {
    if (code(error) === undefined) throw error;
    return code(error) === 'ENOENT' ? { kind: 'absent' } : { kind: 'unreadable', reason: errorText(error) };
  }
}

/** Newer Nodes call a file missing also where something that is no folder lies on the way to it; that is not "no work". */
function inTheWay(path: string): string | null {
  const folder = dirname(path);
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat !== undefined) return stat.isDirectory() ? null : `${folder} is not a folder`;
  return folder === dirname(folder) ? null : inTheWay(folder);
}

/**
 * Changes a record under its lock. `change` gets the present value (null: absent) and answers the next one, or null
 * for "no change"; what it throws passes through, with nothing written. A corrupt or unreadable record throws exit 4,
 * a lock that stays held throws exit 3. The answer has been read back from the disk.
 */
export function updateRecord<T>(
  place: Place<T>,
  change: (current: T | null) => T | null,
  options: LockOptions = {},
): Promise<Updated<T>> {
  return withLock(lockPath(place), () => updateLocked(place, change), options);
}

function updateLocked<T>(place: Place<T>, change: (current: T | null) => T | null): Updated<T> {
  const current = requireReadable(place, read(place, false));
  const next = change(current);
  if (next === null) return { changed: false, value: current };
  const { text, value } = textOf(place, next);
  writeAtomic(place.path, text, place.flush ?? true);
  requireWritten(place, text);
  return { changed: true, value };
}

/**
 * Puts many records in the place of whatever was there, each under its lock, all flushed together: thirty agents that
 * start wait for the disk once. Answers, by path, what `updateRecord` would have thrown for a record; the others are put.
 */
export async function putRecords<T>(records: readonly { place: Place<T>; value: T }[]): Promise<Map<string, unknown>> {
  const files = new Map(records.map(({ place, value }) => [place.path, { place, text: textOf(place, value).text }]));
  return writeAllAtomic(new Map([...files].map(([path, { text }]) => [path, text])), async (path, rename) => {
    const file = files.get(path);
    if (file === undefined) return;
    await withLock(lockPath(file.place), () => {
      requireReadable(file.place, read(file.place, false));
      rename();
      requireWritten(file.place, file.text);
    });
  });
}

/** As it will lie on the disk; throws when reading it would refuse it. */
function textOf<T>(place: Place<T>, next: T): { text: string; value: T } {
  const text = toRecordText(next);
  const checked = parseRecord(text, place);
  if (typeof checked === 'string') throw new Error(`refusing to write ${place.path}: ${checked}`);
  if (Buffer.byteLength(text) > recordLimitBytes) throw new Error(`refusing to write ${place.path}: larger than 1 MiB`);
  return { text, value: checked.value };
}

function requireWritten<T>(place: Place<T>, text: string): void {
  if (readFileSync(place.path, 'utf8') === text) return;
  throw unreadable(`${place.path} does not hold what was written`, 'another program writes it without the lock');
}

/** Removes the file when `onlyIf` holds for what the lock's holder reads there; answers whether it did. */
export function removeRecord<T>(
  place: Place<T>,
  onlyIf: (read: RecordRead<T>) => boolean = () => true,
  options: LockOptions = {},
): Promise<boolean> {
  return withLock(
    lockPath(place),
    () => {
      const read = readRecord(place);
      if (read.kind === 'absent' || !onlyIf(read)) return false;
      try {
        unlinkSync(place.path);
        return true;
      } catch (error) {
        throw unreadable(`cannot remove ${place.path}: ${errorText(error)}`, 'check the folder', error);
      }
    },
    options,
  );
}

/** The value, or null when absent; throws exit 4 for a record nobody can read. */
export function requireReadable<T>(place: Place<T>, read: RecordRead<T>): T | null {
  if (read.kind === 'ok') return read.value;
  if (read.kind === 'absent') return null;
  const copy = read.kind === 'corrupt' && read.quarantine ? ` (copy: ${read.quarantine})` : '';
  throw unreadable(`${place.path} is ${read.kind}: ${read.reason}${copy}`, 'mend or remove the file');
}

/** `hooks/polecat-alpha.json` is locked by `locks/hooks.polecat-alpha.lock`. */
export const lockPath = (place: { stateDir: string; path: string }): string =>
  join(place.stateDir, 'locks', `${recordName(place)}.lock`);

/** The value, or in words what is wrong with it. */
function parseRecord<T>(text: string, { path, schema, idKey }: Place<T>): { value: T } | string {
  if (text.trim() === '') return 'empty';
  if (text.includes('\0')) return 'holds NUL bytes';
  let json: unknown;
  try {
    json = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch {
    return 'not JSON, or cut off';
  }
  const result = schema.safeParse(json);
  if (!result.success) {
    const issue = result.error.issues[0];
    return `${issue?.path.join('.') || 'record'}: ${issue?.message ?? 'wrong shape'}`;
  }
  if (idKey !== null) {
    const id = (result.data as Record<string, unknown>)[idKey];
    if (id !== basename(path, '.json')) return `${idKey} is not the file's name`;
  }
  return { value: result.data };
}

const corrupt = (place: Place<unknown>, reason: string): RecordRead<never> => ({
  kind: 'corrupt',
  reason,
  quarantine: quarantine(place),
});
