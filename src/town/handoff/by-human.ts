/** What the human decides about handoffs in the control pane, beyond reading: the value's answer, and agents' wishes. */
import { refused } from '../../domain/errors.ts';
import type { ValueOutcome } from '../../domain/handoff-reader.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';
import { resetAttempts } from './attempts.ts';
import { acknowledgeHandoff, dissolveWithValue } from './read.ts';
import { dissolveRequests, removeDissolveRequest } from './requests.ts';

type HumansTown = Pick<Town, 'store' | 'clock' | 'env' | 'stateDir'>;

/** Null, or the line that says why it could not be recorded. */
export function acknowledgeByHuman(town: HumansTown, tree: string, digest: string, sentence: string): string | null {
  const why = acknowledgeHandoff({ tree, digest, sentence, by: 'human', now: town.clock() });
  if (why === null) note(town, 'handoff.acknowledged', `the handoff in ${tree} was read and acknowledged`);
  return why;
}

/** Once it is archived, whoever wished to dissolve it has nothing left to wish for. */
export async function dissolveByHuman(
  town: HumansTown,
  tree: string,
  digest: string,
  value: string,
): Promise<ValueOutcome> {
  const outcome = await dissolveWithValue({ tree, digest, value, by: 'human', now: town.clock() });
  if (outcome.kind === 'refused') return outcome;
  for (const request of dissolveRequests(town.stateDir)) {
    if (request.tree === tree) settle(town.stateDir, request.agent_id, true);
  }
  note(town, 'handoff.dissolved', `the handoff in ${tree} was dissolved`);
  return outcome;
}

/** Exit 3 when there is no such wish (any more). */
export function settleRequest(town: HumansTown, agentId: string, retry: boolean): string {
  if (!dissolveRequests(town.stateDir).some((request) => request.agent_id === agentId)) {
    throw refused(`${agentId} does not ask to dissolve a handoff any more`);
  }
  settle(town.stateDir, agentId, retry);
  const did = retry ? 'may give a value again' : 'is off the list; the handoff stays armed';
  note(town, 'handoff.request', `the wish of ${agentId} to dissolve a handoff ${retry ? 'was heard' : 'was removed'}`, {
    agent_id: agentId,
  });
  return `${agentId} ${did}`;
}

function settle(stateDir: string, agentId: string, retry: boolean): void {
  if (retry) resetAttempts(stateDir, agentId);
  removeDissolveRequest(stateDir, agentId);
}
