/** Agents whose program has ended without anyone wanting it. */

import { backoffDelayMs, planStart } from '../backoff.ts';
import type { Ladder } from '../ladder.ts';
import { about, type Draft, escalate, startedAt, tell, verdict, wakeAt } from './draft.ts';
import type { ProcessFacts, Verdict } from './facts.ts';
import { lastRestart, needRestart, openEpisode, toHuman } from './rungs.ts';

type Dead = Extract<ProcessFacts, { kind: 'dead' }>;

/** With work on the hook the bead's restarts pay for it, spaced by the back-off; an exit with a meaning is no crash. */
export function deadAtWork(draft: Draft, ladder: Ladder, dead: Dead): Verdict {
  if (ladder.escalatedAt !== null) return verdict(draft, 'escalated', `${exitText(dead)}; waits for a human`);
  const { agent, town } = draft;
  if (dead.meaning !== null) {
    const message =
      `HUMAN_ESCALATION: ${agent.agent_id} cannot run ${ladder.bead_id}: ${dead.meaning} (${exitText(dead)}). ` +
      'Requires human intervention.';
    return toHuman(draft, openEpisode(draft, ladder), message, dead.meaning, 'cannot_run');
  }
  const last = Math.max(startedAt(draft), lastRestart(draft, ladder));
  const until = last + backoffDelayMs(town.pace, ladder.restarts.length, agent.thresholds.cooldownMs);
  if (draft.now < until) {
    wakeAt(draft, until);
    return verdict(draft, 'backoff', exitText(dead), { until });
  }
  return needRestart(draft, ladder, null, `its program has ended (${exitText(dead)})`);
}

/** Without work: started again after a crash, with back-off; a clean exit is somebody's own decision. */
export function deadAtRest(draft: Draft, dead: Dead): Verdict {
  settleStart(draft);
  const { agent, town, now } = draft;
  if (dead.exit === 0) return verdict(draft, 'dead', exitText(dead));
  if (dead.meaning !== null) {
    tell(draft, 'cannot-run', `${agent.agent_id} cannot run: ${dead.meaning} (${exitText(dead)})`);
    return verdict(draft, 'dead', dead.meaning);
  }
  if (agent.unrestartable !== null) return verdict(draft, 'dead', `${exitText(dead)}; ${agent.unrestartable}`);
  const last = Math.max(startedAt(draft), lastRestart(draft, null));
  const plan = planStart(draft.ledger, last, town.pace, agent.thresholds.cooldownMs, now);
  if (plan.kind === 'wait') {
    wakeAt(draft, plan.until);
    return verdict(draft, 'backoff', exitText(dead), { until: plan.until });
  }
  if (plan.kind === 'loop') {
    if (draft.ledger.crashloopAt === null) {
      draft.ledger = { ...draft.ledger, crashloopAt: now, loops: draft.ledger.loops + 1, recoveryDue: true };
    }
    const count = draft.ledger.starts.length;
    const reason = `${agent.agent_id} died again after ${count} starts (${exitText(dead)}): a crash loop`;
    const message = `CRASH_LOOP: ${reason}. Mend it, then: gastown reset ${agent.agent_id}`;
    const escalation_id = `loop-${agent.agent_id}-${draft.ledger.loops}`;
    escalate(draft, { escalation_id, kind: 'crash_loop', agent_id: agent.agent_id, bead_id: null, message }, reason);
    if (!plan.trial) {
      wakeAt(draft, plan.until);
      return verdict(draft, 'crashlooping', exitText(dead), { until: plan.until });
    }
  }
  if (town.brake !== undefined && town.brake <= 0) {
    wakeAt(draft, now + 1_000);
    return verdict(draft, 'dead', 'waits its turn to start');
  }
  const n = draft.ledger.starts.length + 1;
  const mark = { at: now, outcome: 'requested', run: agent.run };
  draft.ledger = { ...draft.ledger, starts: [...draft.ledger.starts.slice(-9), mark], lastRestartAt: now };
  draft.effects.push({
    kind: 'start',
    n,
    ...about(draft, `${agent.agent_id} has ended (${exitText(dead)}), start ${n}`),
  });
  return verdict(draft, 'dead', `start ${n}`);
}

/** A start intended when a deacon died counts as one: the back-off forgives it, a storm it would not. */
function settleStart(draft: Draft): void {
  const mark = draft.ledger.starts.at(-1);
  if (mark?.outcome !== 'requested') return;
  draft.ledger = { ...draft.ledger, starts: [...draft.ledger.starts.slice(0, -1), { ...mark, outcome: 'done' }] };
}

/** Alive: after a while the back-off is forgotten, and a recovery that is owed is told once. */
export function noticeLife(draft: Draft): void {
  const { ledger, agent, now } = draft;
  if (!ledger.recoveryDue && ledger.starts.length === 0 && ledger.crashloopAt === null) return;
  const since = Math.max(startedAt(draft), lastRestart(draft, null));
  const { backoffMs, stableMs } = draft.town.pace;
  const provenAt = since + backoffMs;
  if (now < provenAt) {
    wakeAt(draft, provenAt);
    return;
  }
  if (ledger.recoveryDue) {
    draft.effects.push({ kind: 'notice', about: 'recovered', ...about(draft, `${agent.agent_id} runs again`) });
    draft.ledger = { ...ledger, recoveryDue: false };
  }
  if (now < since + stableMs) wakeAt(draft, since + stableMs);
  else draft.ledger = { ...draft.ledger, starts: [], crashloopAt: null };
}

const exitText = (dead: Dead): string => (dead.exit === null ? 'its program is gone' : `exit ${dead.exit}`);
