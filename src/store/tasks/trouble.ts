/** What SQLite says, told as everything else here is told: held, corrupt, not writable (field report 46). */
import { errorText, GastownError, refused, unreadable } from '../../domain/errors.ts';
import { code } from '../process-identity.ts';
import { quarantine } from '../quarantine.ts';

export interface TasksPlace {
  stateDir: string;
  /** Absolute path of the database. */
  path: string;
}

/** Runs `work`; what SQLite throws comes out as exit 3 (held by another) or exit 4 (corrupt, unreadable, read-only). */
export function withTrouble<T>(place: TasksPlace, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof GastownError ? error : (translated(place, error) ?? error);
  }
}

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(code(error) ?? '');

function translated(place: TasksPlace, error: unknown): GastownError | null {
  const word = code(error) ?? '';
  const what = errorText(error);
  if (isBusy(error))
    return refused(`${place.path} is held by another process`, 'nothing was changed; try again', error);
  if (/^SQLITE_(CORRUPT|NOTADB|FORMAT|MISMATCH)/.test(word)) return corrupt(place, what, error);
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH|IOERR|FULL)/.test(word) || /^E[A-Z]+$/.test(word)) {
    return unreadable(`cannot use ${place.path}: ${what}`, 'check the folder, its permissions and the disk', error);
  }
  return null;
}

/** The file stays where it is, and a copy goes to quarantine with what was not yet written into it. */
export function corrupt(place: TasksPlace, why: string, cause?: unknown): GastownError {
  const copy = quarantine(place);
  quarantine({ ...place, path: `${place.path}-wal` });
  const kept = copy === null ? '' : ` (copy: ${copy})`;
  return unreadable(
    `${place.path} is corrupt: ${why}${kept}`,
    'mend it, or move it away to begin with an empty list',
    cause,
  );
}
