/** What a human may answer to an escalation (seed 001): each a service of the town's own, and then it is acknowledged. */
import { conflict, refused, usage } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { setAside } from '../beads.ts';
import { clearHook } from '../claim.ts';
import { agentOf, type Town } from '../context.ts';
import { nudge } from '../nudge.ts';
import { runningAgents } from '../running.ts';
import { sling } from '../sling.ts';
import { acknowledge } from './escalations.ts';
import { resetAgent } from './reset.ts';

export const answers = ['reset', 'reassign', 'clarify', 'block', 'cancel'] as const;
export type Answer = (typeof answers)[number];

/**
 * `words`: the other agent of `reassign` (without one an idle agent is taken), what `clarify` tells, why for `block` and
 * `cancel`. Answers one line; nothing is acknowledged where the answer could not be carried out.
 */
export async function answerEscalation(
  town: Town,
  escalationId: string,
  answer: Answer,
  words: string,
): Promise<string> {
  const read = town.store.escalations.read(parseId('session', escalationId));
  if (read.kind !== 'ok') throw refused(`there is no escalation ${escalationId}`, 'see gastown escalations');
  const { agent_id: agentId, bead_id: beadId } = read.value;
  if (agentId === null) throw conflict(`${escalationId} is about no agent`, `gastown escalations ack ${escalationId}`);
  agentOf(town, agentId);
  const text = await carryOut(town, answer, agentId, beadId, words.trim());
  await acknowledge(town, escalationId);
  return text;
}

async function carryOut(
  town: Town,
  answer: Answer,
  agentId: string,
  beadId: string | null,
  words: string,
): Promise<string> {
  switch (answer) {
    case 'reset':
      return resetAgent(town, agentId);
    case 'clarify': {
      if (words === '') throw usage('clarify needs words for the agent', `what does ${agentId} have to know?`);
      const receipt = await nudge(town, agentId, words);
      return `${agentId} was told: ${receipt.kind}`;
    }
    case 'reassign': {
      const bead = onHook(town, agentId, beadId);
      const other = words === '' ? await someoneElse(town, agentId) : agentOf(town, words).agent_id;
      if (other === agentId) throw usage(`${agentId} has it already`, 'name another agent');
      requireFree(town, other);
      await clearHook(town, agentId, { reason: `reassigned to ${other}` });
      const slung = await sling(town, { bead, agent: other });
      return `${bead} is on the hook of ${slung.agent_id}`;
    }
    case 'block':
    case 'cancel': {
      const bead = onHook(town, agentId, beadId);
      if (words === '') throw usage(`${answer} needs a reason`, 'in a few words');
      await clearHook(town, agentId, { reason: words });
      await setAside(town, bead, answer === 'block' ? 'blocked' : 'failed', words);
      return `${bead} is ${answer === 'block' ? 'blocked' : 'cancelled'}, the hook of ${agentId} is empty`;
    }
  }
}

/** Only the work that was escalated is taken off; what came since is another matter. */
function onHook(town: Town, agentId: string, beadId: string | null): string {
  const hook = town.store.hooks.read(agentId);
  const present = hook.kind === 'ok' ? (hook.value.work_item?.bead_id ?? null) : null;
  if (beadId === null || present !== beadId) {
    throw conflict(`${beadId ?? 'its work'} is not on the hook of ${agentId} (any more)`, 'gastown escalations ack');
  }
  return beadId;
}

function requireFree(town: Town, agentId: string): void {
  const hook = town.store.hooks.read(agentId);
  if (hook.kind === 'absent' || (hook.kind === 'ok' && hook.value.status === 'empty')) return;
  throw conflict(`the hook of ${agentId} is not empty`, 'name another agent');
}

async function someoneElse(town: Town, agentId: string): Promise<string> {
  const running = await runningAgents(town);
  const free = town.agents.find(({ agent_id: id, role }) => {
    if (id === agentId || role !== 'polecat' || !running.has(id)) return false;
    const hook = town.store.hooks.read(id);
    return hook.kind === 'absent' || (hook.kind === 'ok' && hook.value.status === 'empty');
  });
  if (!free) throw refused('no other agent is idle', 'name one, or wait');
  return free.agent_id;
}
