/**
 * Carries out what the patrol said. Every step is intended on disk before it is done and noted afterwards, so that a
 * deacon which dies in between is followed by one that knows (decision 5). Nothing here decides.
 */

import { join } from 'node:path';
import type { AgentLedger } from '../../domain/agent-ledger.ts';
import { receiptText } from '../../domain/delivery.ts';
import { errorText } from '../../domain/errors.ts';
import type { Ladder } from '../../domain/ladder.ts';
import type { AgentFacts, Effect, Judgement } from '../../domain/patrol/facts.ts';
import { shellWord } from '../../domain/quote.ts';
import type { Nudge } from '../../domain/records.ts';
import { toIso } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';
import { deliverNudge } from '../tell.ts';
import { openEscalation } from './escalations.ts';
import { changeAgentLedger, changeLadder, saveAgentLedger, saveLadder } from './ledgers.ts';
import { sendMail } from './mail.ts';
import { performRestart } from './mayor.ts';
import { appendSample } from './samples.ts';
import { mailWitness } from './witness.ts';

/** Saves what the judgement wants remembered, before any of its effects; false: the disk has moved on, judge again. */
export async function saveIntention(town: Town, agent: AgentFacts, judged: Judgement): Promise<boolean> {
  if (judged.ladder) {
    const known = agent.ladder !== null && 'bead_id' in agent.ladder ? agent.ladder : null;
    if (!(await saveLadder(town, known, judged.ladder))) return false;
  }
  if (judged.ledger && 'agent_id' in agent.ledger) return saveAgentLedger(town, agent.ledger, judged.ledger);
  return true;
}

/** One effect; `look` is the caller's own. What goes wrong is noted, and the next patrol sees it on disk. */
export async function carryOut(town: Town, effect: Exclude<Effect, { kind: 'look' }>): Promise<void> {
  switch (effect.kind) {
    case 'nudge':
      return nudge(town, effect);
    case 'witness':
      mailWitness(town, effect);
      return journal(town, `stalled.${effect.severity}`, effect);
    case 'restart':
      return restart(town, effect);
    case 'start':
      return start(town, effect);
    case 'escalate':
      await openEscalation(town, effect.escalation);
      if (effect.bead_id === null) return;
      return changeLadder(town, effect.bead_id, (ladder) => ({ ...ladder, escalationOpened: true }));
    case 'notice':
      return journal(town, effect.about === 'recovered' ? 'recovered' : `notice.${effect.about}`, effect);
    case 'sample':
      return appendSample(town, effect.sample);
  }
}

async function nudge(town: Town, effect: Extract<Effect, { kind: 'nudge' }>): Promise<void> {
  const { agent_id, bead_id, nudge_id } = effect;
  const message: Nudge = {
    nudge_id,
    from: 'deacon',
    type: effect.type,
    message: `${effect.message} ${howToGoOn(town, effect.type)}`,
    timestamp: toIso(town.clock()),
    requires_response: effect.type !== 'sync_request',
    bead_id,
  };
  const commit = (change: (ladder: Ladder) => Ladder): Promise<void> =>
    bead_id === null ? Promise.resolve() : changeLadder(town, bead_id, change);
  try {
    await town.store.nudge(agent_id).update(() => message);
  } catch (error) {
    // Not written: not sent, and not counted.
    await commit((ladder) => ({ ...ladder, nudges: ladder.nudges.filter((mark) => mark.nudge_id !== nudge_id) }));
    throw error;
  }
  journal(town, 'nudge', effect);
  const receipt = await deliverNudge(town, agent_id, message);
  await commit((ladder) => ({
    ...ladder,
    nudges: ladder.nudges.map((mark) =>
      mark.nudge_id === nudge_id ? { ...mark, receipt: receiptText(receipt) } : mark,
    ),
  }));
}

/** By absolute path: a login shell may have reset PATH. */
function howToGoOn(town: Town, type: Nudge['type']): string {
  const gt = shellWord(join(town.binDir, 'gt'));
  const answer = type === 'sync_request' ? '' : ` If something keeps you, say so: ${gt} reply "…".`;
  return `What it is: ${gt} prime.${answer}`;
}

async function restart(town: Town, effect: Extract<Effect, { kind: 'restart' }>): Promise<void> {
  const { agent_id, bead_id, n, of } = effect;
  if (bead_id === null) return;
  sendMail(town, {
    from: 'deacon',
    to: 'mayor',
    body: `RESTART_REQUEST: ${agent_id} does not go on with ${bead_id}. Restart #${n} of ${of}. ${effect.reason}`,
  });
  journal(town, 'restart.requested', effect);
  const performed = await performRestart(town, { agent_id, bead_id, requestedAt: town.clock() });
  const outcome = performed.kind === 'failed' ? `failed: ${performed.why}` : performed.kind;
  await changeLadder(town, bead_id, (ladder) => ({
    ...ladder,
    restarts:
      performed.kind === 'declined'
        ? ladder.restarts.filter((mark) => mark.n !== n || mark.outcome !== 'requested')
        : ladder.restarts.map((mark) => (mark.n === n ? { ...mark, outcome } : mark)),
  }));
  const said = performed.kind === 'done' ? performed.detail : performed.why;
  journal(town, `restart.${performed.kind}`, { ...effect, reason: `restart ${n} of ${of}: ${said}` });
  if (performed.kind === 'declined') throw new Declined(said);
}

async function start(town: Town, effect: Extract<Effect, { kind: 'start' }>): Promise<void> {
  const { agent_id } = effect;
  journal(town, 'start.requested', effect);
  const performed = await performRestart(town, { agent_id, bead_id: null, requestedAt: town.clock() });
  const outcome = performed.kind === 'failed' ? `failed: ${performed.why}` : performed.kind;
  await changeAgentLedger(town, agent_id, (ledger: AgentLedger) => ({
    ...ledger,
    starts: ledger.starts.map((mark, index) => (index === ledger.starts.length - 1 ? { ...mark, outcome } : mark)),
  }));
  journal(town, `start.${performed.kind}`, {
    ...effect,
    reason: performed.kind === 'done' ? performed.detail : performed.why,
  });
}

/** The same request must not come again at once: whatever made the mayor decline is given time to pass. */
export class Declined extends Error {}

function journal(town: Town, kind: string, effect: { agent_id: string; bead_id: string | null; reason: string }): void {
  note(town, kind, effect.reason, {
    by: 'deacon',
    ...(effect.agent_id === 'town' ? {} : { agent_id: effect.agent_id }),
    ...(effect.bead_id === null ? {} : { bead_id: effect.bead_id }),
  });
}

export const noteTrouble = (town: Town, agentId: string, error: unknown): void =>
  note(town, 'deacon.trouble', `${agentId}: ${errorText(error)}`, { by: 'deacon', agent_id: agentId });
