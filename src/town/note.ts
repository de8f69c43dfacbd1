/** One line in the journal: what happened, to whom, by whom. A journal that cannot be written never stops the town. */
import { cleanLine } from '../domain/text.ts';
import { toIso } from '../domain/time.ts';
import type { Town } from './context.ts';

export interface About {
  agent_id?: string;
  bead_id?: string;
  /** Who did it; the operator unless an agent or the deacon calls. */
  by?: string;
}

export function note(
  town: Pick<Town, 'store' | 'clock' | 'env'>,
  kind: string,
  message: string,
  about: About = {},
): void {
  const by = about.by ?? town.env['GT_AGENT_ID'] ?? 'operator';
  try {
    town.store.journal.append({ at: toIso(town.clock()), kind, message: cleanLine(message), ...about, by });
  } catch {
    // The change itself is on disk and proven; a full disk shows in `doctor` and in the next write of a record.
  }
}
