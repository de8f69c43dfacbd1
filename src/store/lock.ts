/**
 * One lock a record, held for the few milliseconds of read, check and write. Taking it is one `link` of a file that
 * says who we are, releasing it one `unlink`: whoever looks at a lock always sees its whole holder.
 */
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorText, refused, unreadable } from '../domain/errors.ts';
import { listNames } from './atomic-write.ts';
import { code, lookAt, ownIdentity, type ProcessIdentity } from './process-identity.ts';

export interface LockOptions {
  /** How long to wait for the present holder, in milliseconds. */
  waitMs?: number;
}

/** What a command waits; events give up after `eventLockWaitMs` (DESIGN section 6). */
const lockWaitMs = 10_000;
export const eventLockWaitMs = 250;

/** A lock from another machine cannot be looked at: it counts as left behind after this age. */
const foreignLockMs = 60_000;

/**
 * Runs `work` while holding the lock file `path`. Throws exit 3 naming the holder when it is not free within `waitMs`;
 * `work` has then not run. `work` is synchronous: nothing else of this process can come between, and no holder sleeps.
 */
export async function withLock<T>(path: string, work: () => T, { waitMs = lockWaitMs }: LockOptions = {}): Promise<T> {
  const deadline = uptimeMs() + waitMs;
  for (let delayMs = 1; ; delayMs = Math.min(delayMs * 2, 20)) {
    const answer = tryWithLock(path, work);
    if (answer.held) return answer.value;
    if (uptimeMs() >= deadline) throw refused(`${path} is held by ${describe(readHolder(path))}`, 'try again');
    await new Promise((done) => setTimeout(done, delayMs * (0.5 + Math.random())));
  }
}

/**
 * The same for work that takes its time: a start, a delivery, `up`. Records are never changed under such a lock alone;
 * a holder that dies is recovered like any other. `waitMs` is how long to wait for the present holder.
 */
export async function withLongLock<T>(
  path: string,
  work: () => Promise<T>,
  { waitMs = lockWaitMs }: LockOptions = {},
): Promise<T> {
  const deadline = uptimeMs() + waitMs;
  for (let delayMs = 5; ; delayMs = Math.min(delayMs * 2, 100)) {
    const inode = tryAcquire(path);
    if (inode !== null) {
      try {
        return await work();
      } finally {
        release(path, inode);
      }
    }
    if (uptimeMs() >= deadline) throw refused(`${path} is held by ${describe(readHolder(path))}`, 'try again');
    await new Promise((done) => setTimeout(done, delayMs * (0.5 + Math.random())));
  }
}

/** One attempt: `held` is false, and `work` has not run, when somebody else has the lock. */
export function tryWithLock<T>(path: string, work: () => T): { held: true; value: T } | { held: false } {
  const inode = tryAcquire(path);
  if (inode === null) return { held: false };
  try {
    return { held: true, value: work() };
  } finally {
    release(path, inode);
  }
}

/** Answers the inode of our lock file, by which release knows it again; null when somebody else has it. */
function tryAcquire(path: string): number | null {
  const inode = tryLink(path);
  if (inode !== null) return inode;
  const holder = readHolder(path);
  if (holder !== null && !isLeftBehind(holder)) return null;
  return holder === null || recover(path) ? tryLink(path) : null;
}

/**
 * Removing a dead holder's lock needs a lock of its own, taken in this same way: whoever has it looks again, so two
 * recoverers never remove each other's fresh lock, and a recoverer that dies is recovered in turn.
 */
function recover(path: string): boolean {
  const done = tryWithLock(`${path}.recovery`, () => {
    const holder = readHolder(path);
    if (holder !== null && isLeftBehind(holder)) unlinkIfThere(path);
  });
  return done.held;
}

/** `performance` would have to be loaded first, and every event takes a lock. */
const uptimeMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

interface Holder {
  identity: ProcessIdentity | null;
  /** Last moment the file's links changed, that is: its holder last took or released a lock. */
  changedMs: number;
}

function readHolder(path: string): Holder | null {
  try {
    const changedMs = statSync(path).ctimeMs;
    return { identity: parseIdentity(readFileSync(path, 'utf8')), changedMs };
  } catch (error) {
    if (code(error) === 'ENOENT') return null;
    throw unreadable(`cannot read the lock ${path}: ${errorText(error)}`, 'remove it if nothing runs', error);
  }
}

function parseIdentity(text: string): ProcessIdentity | null {
  try {
    const { pid, pid_started, hostname } = JSON.parse(text) as Record<string, unknown>;
    if (typeof pid !== 'number' || typeof pid_started !== 'string' || typeof hostname !== 'string') return null;
    return { pid, pid_started, hostname };
  } catch {
    return null;
  }
}

/** A lock nobody can read was not written by us whole; it gets a moment, in case its writer is another program. */
function isLeftBehind({ identity, changedMs }: Holder): boolean {
  const ageMs = Date.now() - changedMs;
  if (identity === null) return ageMs > 2_000;
  const look = lookAt(identity);
  return look === 'gone' || (look === 'unknown' && ageMs > foreignLockMs);
}

function describe(holder: Holder | null): string {
  if (!holder?.identity) return 'an unknown process';
  return `process ${holder.identity.pid} on ${holder.identity.hostname}`;
}

/** The file this process links as its lock, one for each folder of locks; made anew should somebody remove it. */
const holderFiles = new Map<string, { path: string; inode: number }>();

function tryLink(path: string): number | null {
  for (let attempt = 1; ; attempt += 1) {
    const mine = holderFile(dirname(path));
    try {
      linkSync(mine.path, path);
      return mine.inode;
    } catch (error) {
      if (code(error) === 'EEXIST') return null;
      holderFiles.delete(dirname(path));
      if (code(error) === 'ENOENT' && attempt < 4) continue;
      if (code(error) === 'EPERM' || code(error) === 'ENOTSUP') return tryCreate(path);
      throw unreadable(`cannot lock ${path}: ${errorText(error)}`, 'check the folder and the disk', error);
    }
  }
}

function holderFile(folder: string): { path: string; inode: number } {
  const known = holderFiles.get(folder);
  if (known) return known;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweepHolders(folder);
  const path = join(folder, `.holder.${process.pid}.${Math.floor(Math.random() * 2 ** 48).toString(16)}`);
  const inode = tryCreate(path);
  if (inode === null) throw unreadable(`cannot create ${path}`, 'check the folder');
  const file = { path, inode };
  holderFiles.set(folder, file);
  if (!leavesClean) process.on('exit', removeHolderFiles);
  leavesClean = true;
  return file;
}

/** Files of processes that were killed; a lock that one of them holds is another link and stays. */
function sweepHolders(folder: string): void {
  for (const name of listNames(folder)) {
    if (!name.startsWith('.holder.')) continue;
    const holder = readHolder(join(folder, name));
    if (holder !== null && isLeftBehind(holder)) unlinkIfThere(join(folder, name));
  }
}

let leavesClean = false;

function removeHolderFiles(): void {
  for (const { path } of holderFiles.values()) unlinkIfThere(path);
}

/** For file systems without hard links, too: O_EXCL, and the content a moment later. Null when it exists. */
function tryCreate(path: string): number | null {
  let fd: number;
  try {
    fd = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (code(error) === 'EEXIST') return null;
    throw unreadable(`cannot lock ${path}: ${errorText(error)}`, 'check the folder and the disk', error);
  }
  try {
    writeSync(fd, `${JSON.stringify(ownIdentity())}\n`);
    return statSync(path).ino;
  } finally {
    closeSync(fd);
  }
}

/** Only a lock that is still ours: another machine may have counted it as left behind. */
function release(path: string, inode: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.ino === inode) unlinkIfThere(path);
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (code(error) !== 'ENOENT') throw unreadable(`cannot unlock ${path}: ${errorText(error)}`, 'remove it', error);
  }
}
