/** Tells when one file changes, at the price of one folder watch and a slow look. */
import { mkdirSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Milliseconds: watchers miss changes, so the file is looked at as well. */
const lookMs = 5000;

/** Calls `changed` whenever the file's time or size is another than before; not for its state at the beginning. */
export function watchFile(path: string, changed: () => void): void {
  let seen = mark(path);
  const look = (): void => {
    const now = mark(path);
    if (now === seen) return;
    seen = now;
    changed();
  };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const watcher = watch(dirname(path), (_event, name) => {
      if (name === null || name === basename(path)) look();
    });
    watcher.on('error', () => watcher.close());
  } catch {
    // Too many watches on this machine: the slow look below is enough.
  }
  setInterval(look, lookMs);
}

function mark(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.mtimeNs}:${stat.ino}:${stat.size}`;
}
