/**
 * Whole files or nothing: unique temp file in the same folder, write, fsync, rename, fsync of the folder. System calls
 * are synchronous on purpose: a record is small, and a hop to the thread pool costs more than the call (DESIGN section 9).
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorText, unreadable } from '../domain/errors.ts';
import { code } from './process-identity.ts';

/**
 * Replaces `path` by `text` (file mode 0600, missing folders 0700). Once it returns, the text is on the disk. Throws
 * exit 4 when the system refuses; the old file is then untouched and no temp file is left. `flush` false is for what
 * means nothing after a power cut: the file is whole or the old one all the same, and the disk is not waited for.
 */
export function writeAtomic(path: string, text: string, flush = true): void {
  const temp = writeTemp(path, text, flush);
  try {
    renamePatiently(temp, path);
  } catch (error) {
    dropTemp(temp);
    throw unreadable(`cannot replace ${path}: ${errorText(error)}`, 'check the folder and the disk', error);
  }
  if (flush) syncFolder(dirname(path));
}

/**
 * Many files at once, one wait for the disk: all are written and flushed side by side, and only then, in turn, each takes
 * its place by `inPlace`, which is handed the renaming. The folders are flushed last. Answers, by path, what kept a file
 * from its place; the others have theirs.
 */
export async function writeAllAtomic(
  files: ReadonlyMap<string, string>,
  inPlace: (path: string, rename: () => void) => Promise<void>,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  const temps = await Promise.all(
    [...files].map(async ([path, text]) => ({ path, temp: await flushedTemp(path, text).catch(failedFor(path)) })),
  );
  for (const { path, temp } of temps) {
    if (temp === null) continue;
    await inPlace(path, () => renamePatiently(temp, path)).catch(failedFor(path));
    // What took its place is not found under this name any more.
    dropTemp(temp);
  }
  for (const folder of new Set([...files.keys()].map(dirname))) syncFolder(folder);
  return failures;

  function failedFor(path: string): (error: unknown) => null {
    return (error) => {
      failures.set(path, error);
      return null;
    };
  }
}

async function flushedTemp(path: string, text: string): Promise<string> {
  const temp = writeTemp(path, text, false);
  const file = await open(temp, 'r+');
  try {
    await file.sync();
    return temp;
  } finally {
    await file.close();
  }
}

/** Like `writeAtomic`, but answers false, changing nothing, when `path` exists already. */
export function createAtomic(path: string, content: string | Uint8Array): boolean {
  const temp = writeTemp(path, content);
  try {
    linkSync(temp, path);
  } catch (error) {
    if (code(error) === 'EEXIST') return false;
    throw unreadable(`cannot create ${path}: ${errorText(error)}`, 'check the folder and the disk', error);
  } finally {
    dropTemp(temp);
  }
  syncFolder(dirname(path));
  return true;
}

/** A temp file is never read, shown or waited for; what its writer left behind is swept. */
export const isTempName = (name: string): boolean => name.endsWith('.tmp') || name.endsWith('~');

/** Unlinks our temp files in `folder` that are older than `olderThanMs`; answers how many. */
export function sweepTemps(folder: string, now: number, olderThanMs = 60_000): number {
  let swept = 0;
  for (const name of listNames(folder)) {
    if (!/^\..+\.\d+\.[0-9a-f]+\.tmp$/.test(name)) continue;
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || now - stat.mtimeMs <= olderThanMs) continue;
    dropTemp(path);
    swept += 1;
  }
  return swept;
}

/** Names in a folder; none when it is missing. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (code(error) === 'ENOENT') return [];
    throw unreadable(`cannot list ${folder}: ${errorText(error)}`, 'check its permissions', error);
  }
}

/** Folders of the state are made when something is first written, for the user alone. */
export const makeFolderOf = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
};

/** Unique, not secret: loading the real thing would cost every event call a tenth of Node's whole start. */
export const tempNameFor = (name: string): string =>
  `.${name}.${process.pid}.${Math.floor(Math.random() * 2 ** 48).toString(16)}.tmp`;

function writeTemp(path: string, content: string | Uint8Array, flush = true): string {
  const temp = join(dirname(path), tempNameFor(basename(path)));
  let fd: number | null = null;
  try {
    fd = openNew(temp);
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    if (flush) fsyncSync(fd);
    closeSync(fd);
    return temp;
  } catch (error) {
    if (fd !== null) closeQuietly(fd);
    dropTemp(temp);
    throw unreadable(`cannot write ${path}: ${errorText(error)}`, 'check the folder and the disk', error);
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (code(error) !== 'ENOENT') throw error;
    makeFolderOf(path);
    return openSync(path, 'wx', 0o600);
  }
}

/** Virus scanners and indexers hold files for moments (field report 27); ten tries over about 250 ms. */
function renamePatiently(from: string, to: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const held = ['EPERM', 'EACCES', 'EBUSY'].includes(code(error) ?? '');
      if (!held || attempt === 10) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * 5);
    }
  }
}

/** Without it a power cut may undo the rename. Some file systems cannot; then the rename itself has to do. */
function syncFolder(folder: string): void {
  let fd: number | null = null;
  try {
    fd = openSync(folder, 'r');
    fsyncSync(fd);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES'].includes(code(error) ?? '')) {
      throw unreadable(`cannot flush ${folder}: ${errorText(error)}`, 'check the disk', error);
    }
  } finally {
    if (fd !== null) closeQuietly(fd);
  }
}

function dropTemp(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or not ours to remove: the sweep comes again.
  }
}

function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The first error is the one that tells.
  }
}
