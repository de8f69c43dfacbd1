/** What happens to a mode, in the journal: its receipts. A journal that cannot be written never stops anybody. */
import type { ModeRecord } from '../../domain/mode/record.ts';
import { cleanLine } from '../../domain/text.ts';
import { toIso } from '../../domain/time.ts';
import type { EventStore } from '../events/store.ts';

export function tellJournal(
  store: Pick<EventStore, 'journal'>,
  record: Pick<ModeRecord, 'agent_id' | 'session_id' | 'mode' | 'run_id'>,
  kind: string,
  message: string,
  by: string,
  now: number,
): void {
  const { agent_id, session_id, mode, run_id } = record;
  try {
    store.journal.append({ at: toIso(now), kind, by, agent_id, message: cleanLine(message), session_id, mode, run_id });
  } catch {
    // The record is on disk; a full disk shows in `doctor`.
  }
}
