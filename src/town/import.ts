/** `bead import`: all of a file or nothing of it. */
import type { Bead } from '../domain/bead.ts';
import { parseImport } from '../domain/bead-import.ts';
import { conflict, usage } from '../domain/errors.ts';
import { readPlainText } from '../store/plain-file.ts';
import { addBead, textsOf } from './beads.ts';
import type { Town } from './context.ts';

/** Bytes of a file that is imported. */
export const importLimitBytes = 20_000_000;

/**
 * Adds the beads of `text` in its order, those that others need first. Everything is checked before the first is
 * written: exit 1 for the text, exit 5 for an id that is taken.
 */
export async function importBeads(town: Town, text: string, fileName: string): Promise<Bead[]> {
  const wanted = parseImport(text, fileName);
  const given = new Set(wanted.flatMap((bead) => (bead.bead_id === undefined ? [] : [bead.bead_id])));
  for (const bead of wanted) {
    textsOf(bead);
    if (bead.bead_id !== undefined && town.store.beads.read(bead.bead_id).kind !== 'absent') {
      throw conflict(`${fileName}:${bead.line}: there is already a bead ${bead.bead_id}`, 'nothing was imported');
    }
    for (const need of bead.needs) {
      if (given.has(need) || town.store.beads.read(need).kind !== 'absent') continue;
      throw usage(`${fileName}:${bead.line}: there is no bead ${need} to need`, 'nothing was imported');
    }
  }
  const added: Bead[] = [];
  const written = new Set<string>();
  for (let left = wanted; left.length > 0; ) {
    const free = left.filter(({ needs }) => needs.every((need) => written.has(need) || !given.has(need)));
    for (const bead of free) {
      added.push(await addBead(town, bead));
      if (bead.bead_id !== undefined) written.add(bead.bead_id);
    }
    left = left.filter((bead) => !free.includes(bead));
  }
  return added;
}

/** Throws exit 1 for a file that cannot be read. `path` is absolute. */
export const readImport = (path: string): string => readPlainText(path, importLimitBytes);
