/** Archives: fresh, durable copies below `cycles/`, under names that nothing else has (seed 002). */
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { archiveCopies, archivedCycle, archiveFolder, archiveName, compareCycles } from '../../domain/handoff.ts';
import { isHeld, namesIn, newPartialName, partialsIn, removeIfThere, syncFolder } from './claim.ts';
import { errnoOf, GateRefusal } from './refusal.ts';
import { hashFile } from './safe-open.ts';

/** Makes `cycles/` where it is missing; anything but a real folder of this tree is refused. Answers its path. */
export function ensureArchiveFolder(tree: string): string {
  const folder = join(tree, archiveFolder);
  try {
    mkdirSync(folder, 0o755);
    syncFolder(tree);
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw new GateRefusal('archive', errnoOf(error));
  }
  // Not statSync: a link to a folder elsewhere would pass.
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw new GateRefusal('archive_folder');
  return folder;
}

/**
 * Writes `bytes` to a new archive and reads them back. Answers its name, which appears only once the copy is complete
 * and on the disk. Throws a refusal (`archive`, `archive_names`) and leaves nothing behind otherwise.
 */
export function writeArchive(
  folder: string,
  bytes: Uint8Array,
  name: { declared: string | null; sha256: string; now: number },
): string {
  const partial = join(folder, newPartialName(name.now));
  try {
    writePartial(partial, bytes);
    for (let copy = 1; copy <= archiveCopies; copy += 1) {
      const archive = archiveName(name.declared, name.now, name.sha256, copy);
      if (!publish(partial, join(folder, archive))) continue;
      removeIfThere(partial);
      syncFolder(folder);
      if (hashFile(join(folder, archive)) !== name.sha256) throw new GateRefusal('archive', 'EIO');
      return archive;
    }
    throw new GateRefusal('archive_names');
  } catch (error) {
    dropQuietly(partial);
    throw error instanceof GateRefusal ? error : new GateRefusal('archive', errnoOf(error));
  }
}

function writePartial(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fchmodSync(fd, 0o444);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** False when the name is taken. A link cannot overwrite, a rename would. */
function publish(partial: string, archive: string): boolean {
  try {
    linkSync(partial, archive);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(errnoOf(error) ?? '')) throw error;
  }
  // A disk without hard links: an exclusive copy, made durable the same way.
  try {
    copyFileSync(partial, archive, constants.COPYFILE_EXCL);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  const fd = openSync(archive, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return true;
}

function dropQuietly(path: string): void {
  try {
    removeIfThere(path);
  } catch {
    // The refusal that brought us here is the one to tell; the next run sweeps this file.
  }
}

/** Removes copies that a killed run never completed. Complete archives are never touched, whatever they hold. */
export function sweepPartials(folder: string, now: number): void {
  for (const name of partialsIn(folder)) if (!isHeld(name, now)) dropQuietly(join(folder, name));
}

/** Name of an archive with exactly these bytes, or null. */
export function archiveOf(folder: string, sha256: string): string | null {
  const candidates = namesIn(folder).filter(
    (name) => name.startsWith('cycle-') && name.includes(`_${sha256.slice(0, 8)}`),
  );
  return candidates.find((name) => hashFile(join(folder, name)) === sha256) ?? null;
}

/** The highest cycle among the archives' names; null without any. */
export function highestArchived(folder: string): string | null {
  const cycles = namesIn(folder).flatMap((name) => archivedCycle(name) ?? []);
  return cycles.reduce<string | null>(
    (high, one) => (high === null || compareCycles(one, high) > 0 ? one : high),
    null,
  );
}
