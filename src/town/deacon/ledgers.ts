/** The deacon's memory on disk. Saved before an act as its intention, changed again afterwards as what came of it. */
import {
  type AgentLedger,
  agentLedgerFromRecord,
  agentLedgerToRecord,
  newAgentLedger,
} from '../../domain/agent-ledger.ts';
import { type Ladder, ladderFromRecord, ladderToRecord } from '../../domain/ladder.ts';
import type { Town } from '../context.ts';
import { agentLedgerRecord } from '../facts.ts';

/**
 * Writes the ladder where the disk still holds `known` (null: nothing yet); false, with nothing written, when somebody
 * else changed it: an operator's reset must not be undone by a patrol that had looked before.
 */
export async function saveLadder(town: Town, known: Ladder | null, ladder: Ladder): Promise<boolean> {
  const { changed } = await town.store.ledgers.update(ladder.bead_id, (record) =>
    isSame(record === null ? null : ladderFromRecord(record), known) ? { ...record, ...ladderToRecord(ladder) } : null,
  );
  return changed;
}

/** As `saveLadder`. */
export async function saveAgentLedger(town: Town, known: AgentLedger, ledger: AgentLedger): Promise<boolean> {
  const { changed } = await agentLedgerRecord(town, ledger.agent_id).update((record) => {
    const held = record === null ? newAgentLedger(ledger.agent_id) : agentLedgerFromRecord(record);
    return isSame(held, known) ? { ...record, ...agentLedgerToRecord(ledger) } : null;
  });
  return changed;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Changes the ladder as it is on disk by then: an operator may have reset it in between. */
export async function changeLadder(town: Town, beadId: string, change: (ladder: Ladder) => Ladder): Promise<void> {
  await town.store.ledgers.update(beadId, (record) =>
    record === null ? null : { ...record, ...ladderToRecord(change(ladderFromRecord(record))) },
  );
}

export async function changeAgentLedger(
  town: Town,
  agentId: string,
  change: (ledger: AgentLedger) => AgentLedger,
): Promise<void> {
  await agentLedgerRecord(town, agentId).update((record) =>
    record === null ? null : { ...record, ...agentLedgerToRecord(change(agentLedgerFromRecord(record))) },
  );
}
