/** Copies of corrupt records: one for each distinct content, never overwritten, never deleted by us. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { createAtomic } from './atomic-write.ts';

/**
 * Copies the record at `path`, byte for byte, and answers the copy's path, or null when none could be made: a reader
 * must not fail because a disk is full or read-only.
 */
export function quarantine({ stateDir, path }: { stateDir: string; path: string }): string | null {
  try {
    const large = statSync(path).size > largeBytes;
    const bytes = large ? head(path) : readFileSync(path);
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const copy = join(stateDir, 'quarantine', `${recordName({ stateDir, path })}.${digest}${extname(path)}`);
    if (existsSync(copy)) return copy;
    if (large) {
      mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      chmodSync(copy, 0o600);
    } else {
      createAtomic(copy, bytes);
    }
    return copy;
  } catch {
    return null;
  }
}

/** `hooks/polecat-alpha.json` is `hooks.polecat-alpha` where one flat name is needed. */
export const recordName = ({ stateDir, path }: { stateDir: string; path: string }): string =>
  relative(stateDir, path)
    .replace(/\.json$/, '')
    .replace(/[\\/]/g, '.');

/** Beyond this a record is copied by the system, and told from others by its first 64 KiB. */
const largeBytes = 4_194_304;

function head(path: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(65_536);
    return bytes.subarray(0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}
