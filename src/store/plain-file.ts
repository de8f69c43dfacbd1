/** Files of the user's own, outside the state folder: made once, or added to at the end; never rewritten. */
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { errorText, unreadable, usage } from '../domain/errors.ts';
import { code } from './process-identity.ts';

/** False, changing nothing, when `path` exists already, as whatever. Throws exit 4 when the system refuses. */
export function createText(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (code(error) === 'EEXIST') return false;
    throw unreadable(`cannot write ${path}: ${errorText(error)}`, 'check the folder', error);
  }
}

/** Follows a symlink, so that a file kept elsewhere stays where it is. */
export function appendText(path: string, text: string): void {
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw unreadable(`cannot write ${path}: ${errorText(error)}`, 'check its permissions', error);
  }
}

/** Text of a file that a person wrote; throws exit 1 for one that cannot be read or is larger than `limitBytes`. */
export function readPlainText(path: string, limitBytes: number): string {
  try {
    const { size } = statSync(path);
    if (size > limitBytes) throw usage(`${path} has ${size} bytes, more than the limit of ${limitBytes}`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (code(error) === undefined) throw error;
    throw usage(`cannot read ${path}: ${errorText(error)}`, 'check that it is a file and its permissions');
  }
}
