/** A mode that waits for the town's commands or for a reviewer holds GUPP back as an open gate does (decision 11). */
import type { Gate } from '../records.ts';
import type { ModeRecord } from './record.ts';

/** Null where no active mode waits for others: then the agent itself is expected to move. */
export function gateOfModes(modes: readonly ModeRecord[]): Gate | null {
  const heard = modes.find(({ active }) => active);
  if (heard?.next?.kind !== 'run' && heard?.next?.kind !== 'review') return null;
  const what = heard.next.kind === 'run' ? 'its gates run' : `review ${heard.next.request_id}`;
  return { kind: 'phase', reason: `${heard.mode} waits: ${what}`, opened_at: heard.next.at, by: 'gastown' };
}
