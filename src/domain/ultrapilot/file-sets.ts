/**
 * Sets of files by their paths from the town's folder, `/` between the parts: one file, or a folder with all below it. Case
 * is left aside in all of it, and so is the way an accent is written: on many disks they make no difference. Pure, and
 * small: an event loads this.
 */

export interface Workers {
  /** Decides about every file that is in no set. */
  coordinator: string;
  workers: readonly { agent: string; files: readonly string[] }[];
}

/** The set in its one form: `src/cart.ts`, or `src/cart/**` for a folder and all below. Null for anything else. */
export function fileSet(text: string): string | null {
  const path = text.normalize('NFC').replace(/^(\.\/)+/, '');
  const isFolder = /(^|\/)(\*\*)?$/.test(path);
  const plain = path.replace(/\/?(\*\*)?$/, '');
  if (/[*?[\]{}\\\0\n]/.test(plain) || plain.startsWith('/') || path === '' || path === '/') return null;
  if (plain.split('/').some((part) => part === '..' || part === '.' || (part === '' && plain !== ''))) return null;
  if (!isFolder) return plain;
  return plain === '' ? '**' : `${plain}/**`;
}

/** Whether a file is of the set. `path` has neither `.` nor `..` in it. */
export function isInSet(set: string, path: string): boolean {
  const file = folded(path);
  const folder = folderOf(folded(set));
  if (folder === null) return folded(set) === file;
  return folder === '' || file === folder || file.startsWith(`${folder}/`);
}

/** Whether some file could be of both. */
export function isOverlap(a: string, b: string): boolean {
  const [one, other] = [fileSet(a) ?? a, fileSet(b) ?? b];
  return isInSet(one, folderOf(other) ?? other) || isInSet(other, folderOf(one) ?? one);
}

/** Who may write the file; what is in no set is the coordinator's. */
export const ownerOf = ({ workers, coordinator }: Workers, path: string): string =>
  workerOf(workers, path) ?? coordinator;

/** Whose set has the file; null for none, as for a path that leads out of the town. */
export const workerOf = (workers: Workers['workers'], path: string): string | null =>
  /^\.\.(\/|$)/.test(path)
    ? null
    : (workers.find(({ files }) => files.some((set) => isInSet(set, path)))?.agent ?? null);

const folderOf = (set: string): string | null => (set === '**' ? '' : set.endsWith('/**') ? set.slice(0, -3) : null);
const folded = (path: string): string => path.normalize('NFC').toLowerCase();
