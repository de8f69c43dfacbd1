/**
 * Watching the state: events are hints, files are the truth. After each hint the file is looked at, and once more a
 * little later; beside it a slow re-scan always runs, so that a deaf watcher delays the picture and never bends it.
 *
 * Node's own watcher of folders, not chokidar: with 200 files and 50 changes a second that took 60 to 80 % of a core
 * (it reads the whole folder again for each), this 2 %, and it needs one watch a folder instead of one a file.
 */
import { type FSWatcher, unlinkSync, type WatchEventType, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../domain/errors.ts';
import { isTempName, tempNameFor } from './atomic-write.ts';
import { code } from './process-identity.ts';
import { Snapshot } from './watch-snapshot.ts';

export interface WatchOptions {
  /** Milliseconds between two re-scans of folders; of all their files when events do not come. */
  rescanMs?: number;
  /** Milliseconds between two re-scans once events have failed. */
  pollMs?: number;
  /** Called once when the system cannot watch (any more), with one line for people. */
  onWarning?: (message: string) => void;
  /** How a folder is watched; the system's own way unless a test stands in. */
  watchFolder?: WatchFolder;
}

export type WatchFolder = (
  folder: string,
  onHint: (type: WatchEventType, name: string | null) => void,
) => Pick<FSWatcher, 'close' | 'on'>;

export interface StateWatch {
  /** Hints of the file system so far. */
  readonly eventsSeen: number;
  /** Changes that no hint told of. With `eventsSeen` 0 this file system sends none: `doctor` says so. */
  readonly foundByRescan: number;
  readonly mode: 'events' | 'polling';
  close(): Promise<void>;
}

/** A hint may come before the last of several writes: the file is looked at again after so long. */
const trailingMs = 80;

/** Every so many re-scans all files are looked at, events or not. */
const wholeEvery = 5;

/**
 * Calls `onChange` with the absolute paths of state files that are new, changed or gone since they were last looked at;
 * never for temp files. `folders` answers what to watch and is asked again at every re-scan, so folders may come, go and
 * come back. What is there at the start is not told. Never throws; `close` leaves nothing running.
 */
export function watchState(
  folders: () => readonly string[],
  onChange: (paths: readonly string[]) => void,
  options: WatchOptions = {},
): StateWatch {
  const { rescanMs = 2_000, pollMs = 500, onWarning = () => {}, watchFolder = systemWatch } = options;
  const snapshot = new Snapshot();
  const watchers = new Map<string, { watcher: Pick<FSWatcher, 'close' | 'on'>; inode: number }>();
  const trailing = new Map<string, NodeJS.Timeout>();
  let wanted: ReadonlySet<string> = new Set();
  let eventsSeen = 0;
  let foundByRescan = 0;
  let mode: 'events' | 'polling' = 'events';
  let closed = false;

  const tell = (paths: readonly string[]): void => {
    if (paths.length > 0 && !closed) onChange(paths);
  };

  const hint = (folder: string, name: string | null): void => {
    eventsSeen += 1;
    if (closed || (name !== null && isTempName(name))) return;
    const path = join(folder, name ?? '');
    if (name !== null && (wanted.has(path) || snapshot.inodeOf(path) !== null)) {
      tell(scan(true));
      return;
    }
    tell(snapshot.look(folder, name));
    clearTimeout(trailing.get(path));
    const later = (): void => {
      trailing.delete(path);
      tell(snapshot.look(folder, name));
    };
    trailing.set(path, setTimeout(later, trailingMs));
  };

  const unwatch = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };

  const fallBack = (error: unknown): void => {
    if (mode === 'polling' || closed) return;
    mode = 'polling';
    for (const folder of [...watchers.keys()]) unwatch(folder);
    onWarning(`watching files failed (${errorText(error)}): looking every ${pollMs} ms instead${limitOf(error)}`);
    schedule();
  };

  const listen = (folder: string, inode: number): void => {
    const known = watchers.get(folder);
    if (mode === 'polling' || known?.inode === inode) return;
    // The same path is another folder now: the old watch is deaf.
    unwatch(folder);
    try {
      const watcher = watchFolder(folder, (_type, name) => hint(folder, name));
      watchers.set(folder, { watcher, inode });
      watcher.on('error', (error) => {
        if (isGone(error)) unwatch(folder);
        else fallBack(error);
      });
    } catch (error) {
      if (!isGone(error)) fallBack(error);
    }
  };

  /** `whole`: every file is looked at; otherwise only those of folders that changed themselves. */
  const scan = (whole: boolean): string[] => {
    wanted = new Set(folders());
    for (const folder of watchers.keys()) if (!wanted.has(folder)) unwatch(folder);
    const changed: string[] = [];
    for (const folder of wanted) {
      const inode = snapshot.inodeOf(folder);
      if (inode === null) unwatch(folder);
      else listen(folder, inode);
      // Looked at after the watch stands: nothing falls between the two.
      if (whole || snapshot.hasChanged(folder)) changed.push(...snapshot.look(folder, null));
    }
    changed.push(...snapshot.forgetOthers(wanted));
    return changed;
  };

  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(rescan, mode === 'polling' ? pollMs : rescanMs);
  };
  const rescan = (): void => {
    const now = performance.now();
    // Where events are known to come, files are looked at less often than folders.
    const whole = mode === 'polling' || eventsSeen === 0 || now - wholeAt >= wholeEvery * rescanMs;
    if (whole) wholeAt = now;
    const changed = scan(whole);
    foundByRescan += changed.length;
    tell(changed);
    if (!closed) schedule();
  };

  scan(true);
  provoke(wanted);
  let wholeAt = performance.now();
  schedule();
  return {
    get eventsSeen() {
      return eventsSeen;
    },
    get foundByRescan() {
      return foundByRescan;
    },
    get mode() {
      return mode;
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      for (const later of trailing.values()) clearTimeout(later);
      trailing.clear();
      for (const folder of [...watchers.keys()]) unwatch(folder);
      return Promise.resolve();
    },
  };
}

/** One temp file that comes and goes: its event proves that this file system tells of changes. */
function provoke(folders: ReadonlySet<string>): void {
  for (const folder of folders) {
    const path = join(folder, tempNameFor('watch'));
    try {
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
      unlinkSync(path);
      return;
    } catch {
      // Not there yet, or read-only: then only a real event proves it.
    }
  }
}

const systemWatch: WatchFolder = (folder, onHint) => watch(folder, { persistent: true, recursive: false }, onHint);

const isGone = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EPERM'].includes(code(error) ?? '');

function limitOf(error: unknown): string {
  if (code(error) === 'ENOSPC') return '; the limit is fs.inotify.max_user_watches';
  if (code(error) === 'EMFILE') return '; the limit is ulimit -n, or fs.inotify.max_user_instances';
  return '';
}
