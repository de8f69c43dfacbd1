/** Thresholds and limits take effect while the town runs: `gupp` of gastown.yaml is read again when the file changes. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../../domain/errors.ts';
import { existsChipset } from '../chipset-place.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';

/** Answers the town with the new `gupp`, or null where nothing changed. A wrong file is told once and changes nothing. */
export function watchConfig(first: Town): (town: Town) => Promise<Town | null> {
  const path = join(first.root, 'gastown.yaml');
  let seen = stamp(path);
  return async (town) => {
    const now = stamp(path);
    if (now === seen) return null;
    seen = now;
    // A demo runs agents of its own, and the file is not theirs.
    if (now === null || town.recorded?.demo === true) return null;
    try {
      const { parseConfig } = await import('../../domain/config-parse.ts');
      const { config: read } = parseConfig(readFileSync(path, 'utf8'), 'gastown.yaml');
      const own = { ...town, config: read };
      const { gupp } = existsChipset(town.root) ? (await import('../chipset-gates.ts')).withChipset(own).config : read;
      if (JSON.stringify(gupp) === JSON.stringify(town.config.gupp)) return null;
      const { gupp: _before, ...rest } = town.config;
      const config = gupp === undefined ? rest : { ...rest, gupp };
      // On record, so that every command agrees with the patrol.
      await town.store.town.update((record) => (record?.running ? { ...record, config } : null));
      note(town, 'config.reloaded', 'gupp of gastown.yaml has changed and is in force', { by: 'deacon' });
      return { ...town, config };
    } catch (error) {
      note(town, 'config.refused', `${errorText(error)}; the thresholds stay as they were`, { by: 'deacon' });
      return null;
    }
  };
}

function stamp(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : null;
}
