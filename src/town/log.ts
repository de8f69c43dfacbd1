/** The journal, looked back on and followed. */
import type { JournalEntry } from '../domain/records.ts';
import { followJournal, type JournalLines } from '../store/journal.ts';
import type { Town } from './context.ts';

/** The last `count` entries, oldest first, and how many lines could not be read. */
export const journalTail = (town: Town, count: number): JournalLines => town.store.journal.tail(count);

const lookEveryMs = 500;

/** Calls `onEntries` with what is written from now on; never ends by itself. */
export async function followLog(town: Town, onEntries: (entries: JournalEntry[]) => void): Promise<never> {
  const follower = followJournal(town.store.paths);
  for (;;) {
    const { entries } = follower.read();
    if (entries.length > 0) onEntries(entries);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}
