/** The operator's reset: an agent's counters, cooldown and back-off begin anew, and its bead has all its restarts again. */
import { agentLedgerFromRecord, agentLedgerToRecord, resetAgentLedger } from '../../domain/agent-ledger.ts';
import { ladderFromRecord, ladderToRecord, resetLadder } from '../../domain/ladder.ts';
import { agentOf, type Town } from '../context.ts';
import { agentLedgerRecord } from '../facts.ts';
import { note } from '../note.ts';

/** Answers one line. Nothing of the agent's work, hook or pane is touched. */
export async function resetAgent(town: Town, agentId: string): Promise<string> {
  agentOf(town, agentId);
  const hook = town.store.hooks.read(agentId);
  const beadId = hook.kind === 'ok' ? (hook.value.work_item?.bead_id ?? null) : null;
  await agentLedgerRecord(town, agentId).update(
    (record) => record && { ...record, ...agentLedgerToRecord(resetAgentLedger(agentLedgerFromRecord(record))) },
  );
  if (beadId !== null) {
    await town.store.ledgers.update(
      beadId,
      (record) => record && { ...record, ...ladderToRecord(resetLadder(ladderFromRecord(record))) },
    );
  }
  const what = beadId === null ? agentId : `${agentId} and ${beadId}`;
  note(town, 'reset', `the counters and back-off of ${what} are back to zero`, {
    agent_id: agentId,
    ...(beadId === null ? {} : { bead_id: beadId }),
  });
  return `the counters and back-off of ${what} are back to zero`;
}
