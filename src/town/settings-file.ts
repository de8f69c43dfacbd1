/** Reading and replacing a settings file of the user's: whole or not at all, its mode and its symlink kept. */
import { accessSync, chmodSync, constants, lstatSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { errorText, refused, usage } from '../domain/errors.ts';
import { writeAtomic } from '../store/atomic-write.ts';
import { code } from '../store/process-identity.ts';

/** Null when there is none. Throws exit 1 for what must not be rewritten: not UTF-8, not a file, a dangling symlink. */
export function readSettings(path: string): string | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (code(error) !== 'ENOENT') throw usage(`cannot read ${path}: ${errorText(error)}`, 'nothing was changed');
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
    throw usage(`${path} is a symlink to nothing`, 'nothing was changed; mend or remove it');
  }
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) throw usage(`${path} is not UTF-8`, 'nothing was changed');
  return text;
}

/** `text` null removes the file. A symlink stays one: its target is replaced. Throws exit 3 for a read-only file. */
export function writeSettings(path: string, text: string | null): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    if (text !== null) writeAtomic(path, text);
    return;
  }
  // As root every file can be written; what its owner made read-only stays as it is all the same.
  if ((stat.mode & 0o222) === 0 || !isWritable(path)) throw refused(`${path} is read-only`, 'nothing was changed');
  const real = realpathSync(path);
  if (text === null && real === path) {
    rmSync(path);
    return;
  }
  writeAtomic(real, text ?? '{}\n');
  chmodSync(real, stat.mode & 0o7777);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
