/** The ladder of a silent agent: nudge, witness, restart, human (seed 001; decisions 3, 5, 6). */

import { escalationIdOf, hardMaxRestarts, type Ladder, type NudgeMark, type Severity, withNudge } from '../ladder.ts';
import { formatAge } from '../time.ts';
import { sample, sampleEpisode } from './assignment.ts';
import { about, type Draft, escalate, look, silentMs, verdict, wakeAt } from './draft.ts';
import type { Verdict } from './facts.ts';

/** A reply without work holds the next step back this many times in one episode. */
const repliesThatCount = 2;

/** Judges an agent with work, alive and free to go on. */
export function climb(draft: Draft, ladder: Ladder, status: 'pending' | 'active'): Verdict {
  const { clock, now, agent } = draft;
  const { stallMs, nudgeMs } = agent.thresholds;
  const silent = silentMs(draft);
  if (silent <= stallMs) {
    wakeAt(draft, clock.since + stallMs + 1);
    return verdict(draft, status === 'pending' ? 'pending' : 'working', '', { until: clock.since + stallMs });
  }
  if (ladder.escalatedAt !== null) return verdict(draft, 'escalated', 'waits for a human');

  const nudges = ladder.nudges.filter((mark) => mark.at >= clock.since);
  const silence = silenceOf(nudges, ladder, nudgeMs);
  const severity = severityOf(silence.unanswered, silent, stallMs);
  const first = nudges[0];
  const last = nudges.at(-1);
  const due = restartDue(draft, status, first);
  const stalled = (detail: string, until: number | null): Verdict => {
    if (until !== null) wakeAt(draft, until);
    return verdict(draft, 'stalled', detail, { until, severity });
  };

  if (last && now < silence.heldUntil) return stalled('answered, not at work yet', silence.heldUntil);
  if (now >= due)
    return needRestart(draft, ladder, severity, `silent for ${formatAge(silent)}, ${nudges.length} nudges`);
  const nudgeDue = last ? last.at + nudgeMs : now;
  if (now < nudgeDue) return stalled(`nudged ${nudges.length}×`, Math.min(nudgeDue, due));
  if (!look(draft)) return stalled('looking at the screen', null);
  const open = openEpisode(draft, ladder);
  draft.ladder = last ? callWitness(draft, open, severity, nudges.length) : open;
  nudge(draft, draft.ladder, nudges.length + 1);
  wakeAt(draft, Math.min(now + nudgeMs, Math.max(due, now + 1)));
  return verdict(draft, 'stalled', `nudged ${nudges.length + 1}×`, { until: now + nudgeMs, severity });
}

/** Restart is due this much after the silence began, and one interval after the first nudge of it. */
function restartDue(draft: Draft, status: 'pending' | 'active', first: NudgeMark | undefined): number {
  if (!first) return Number.POSITIVE_INFINITY;
  const { restartMs, neverBeganMs, nudgeMs } = draft.agent.thresholds;
  const afterMs = status === 'pending' ? Math.min(neverBeganMs, restartMs) : restartMs;
  return Math.max(draft.clock.since + afterMs + 1, first.at + nudgeMs);
}

function silenceOf(nudges: readonly NudgeMark[], ladder: Ladder, nudgeMs: number) {
  const opened = ladder.stalledAt ?? 0;
  const answers = ladder.nudges.filter((mark) => mark.answeredAt !== null && mark.at >= opened);
  const counted = new Set(answers.slice(0, repliesThatCount));
  const last = nudges.at(-1);
  const held = last && counted.has(last) && last.answeredAt !== null ? last.answeredAt + nudgeMs : 0;
  return { unanswered: nudges.filter((mark) => !counted.has(mark)).length, heldUntil: held };
}

/** The witness's words: critical from two unanswered nudges, alert from one or twice the threshold, else warning. */
export function severityOf(unanswered: number, silent: number, stallMs: number): Severity {
  if (unanswered >= 2) return 'critical';
  return unanswered === 1 || silent > 2 * stallMs ? 'alert' : 'warning';
}

export function openEpisode(draft: Draft, ladder: Ladder): Ladder {
  if (ladder.stalledAt !== null) return ladder;
  if (draft.agent.process.kind === 'alive') sample(draft, { metric: 'stall' });
  return { ...ladder, stalledAt: draft.now, quietAt: draft.agent.activityAt, episodes: ladder.episodes + 1 };
}

function nudge(draft: Draft, ladder: Ladder, n: number): void {
  const { agent, now } = draft;
  const seconds = Math.floor(silentMs(draft) / 1000);
  const reason = `${agent.agent_id} has ${ladder.bead_id} on its hook and was silent for ${seconds} s`;
  const nudge_id = `n-${ladder.bead_id}-${ladder.episodes}-${ladder.nudges.length + 1}-${now.toString(36)}`;
  draft.ladder = withNudge(ladder, { nudge_id, at: now, receipt: null, answeredAt: null, effective: null });
  draft.effects.push({
    kind: 'nudge',
    nudge_id,
    type: n === 1 ? 'health_check' : 'stall_warning',
    message:
      `HEALTH_CHECK: ${ladder.bead_id} is on your hook and nothing was done for ${seconds} s. ` +
      'Work on the hook is run (GUPP): go on with it now.',
    ...about(draft, `${reason} (threshold ${agent.thresholds.stallMs / 1000} s), nudge ${n}`),
  });
}

/** At most one mail an interval, and one for each worse word; the severity only ever rises within an episode. */
function callWitness(draft: Draft, ladder: Ladder, severity: Severity, nudges: number): Ladder {
  const { now, agent } = draft;
  const quiet = ladder.mailedAt !== null && now - ladder.mailedAt < agent.thresholds.nudgeMs;
  if (quiet && ladder.severity === severity) return ladder;
  const reason = `${severity}: ${agent.agent_id} did not go on with ${ladder.bead_id} after ${nudges} nudges`;
  const silent = silentMs(draft);
  const { activityAt } = draft.clock;
  draft.effects.push({ kind: 'witness', severity, nudges, silentMs: silent, activityAt, ...about(draft, reason) });
  return { ...ladder, severity, mailedAt: now };
}

/**
 * The last restart of this agent or bead, 0 without one. After a jump of the clock its time says nothing any more: it
 * may as well have been at the jump.
 */
export function lastRestart({ ledger, town, now }: Draft, ladder: Ladder | null): number {
  const last = Math.max(ledger.lastRestartAt ?? 0, ladder?.restarts.at(-1)?.at ?? 0);
  return last === 0 || town.floorAt > now ? last : Math.max(last, town.floorAt);
}

/** The need for a restart: performed while the bead has restarts left, else the human's. */
export function needRestart(draft: Draft, ladder: Ladder, severity: Severity | null, why: string): Verdict {
  const { agent, now } = draft;
  const { maxRestarts, cooldownMs } = agent.thresholds;
  const most = Math.min(maxRestarts, hardMaxRestarts);
  const done = ladder.restarts.length;
  const state = agent.process.kind === 'dead' ? 'dead' : 'stalled';
  const exhausted = done >= most;
  if (!exhausted && agent.unrestartable === null) {
    const cooledAt = lastRestart(draft, ladder) + cooldownMs;
    if (now < cooledAt) {
      wakeAt(draft, cooledAt);
      return verdict(draft, 'backoff', 'restart cooldown', { until: cooledAt, severity });
    }
  }
  if (state === 'stalled' && !look(draft)) return verdict(draft, 'stalled', 'looking at the screen', { severity });
  const open = openEpisode(draft, ladder);
  if (exhausted || agent.unrestartable !== null) {
    const message = exhausted
      ? `HUMAN_ESCALATION: ${open.bead_id} has stalled ${done} times. ` +
        'Automated recovery exhausted. Requires human intervention.'
      : `HUMAN_ESCALATION: ${open.bead_id} has stalled and ${agent.agent_id} cannot be restarted ` +
        `(${agent.unrestartable}). Requires human intervention.`;
    return toHuman(draft, open, message, why);
  }
  if (draft.town.brake !== undefined && draft.town.brake <= 0) {
    wakeAt(draft, now + 1_000);
    return verdict(draft, state, 'waits its turn to restart', { severity });
  }
  const n = done + 1;
  draft.ladder = { ...open, restarts: [...open.restarts, { n, at: now, outcome: 'requested', run: agent.run }] };
  draft.ledger = { ...draft.ledger, lastRestartAt: now };
  draft.effects.push({ kind: 'restart', n, of: most, ...about(draft, `${agent.agent_id}: ${why}`) });
  return verdict(draft, state, `restart ${n} of ${most}`, { severity });
}

/** Once an episode, and then the bead is left alone until a human changes something or work resumes by itself. */
export function toHuman(
  draft: Draft,
  ladder: Ladder,
  message: string,
  why: string,
  kind: 'human_escalation' | 'cannot_run' = 'human_escalation',
): Verdict {
  const { agent_id } = draft.agent;
  const escalation_id = escalationIdOf(ladder);
  draft.ladder = {
    ...ladder,
    escalatedAt: draft.now,
    escalationOpened: draft.agent.escalations.includes(escalation_id),
  };
  sampleEpisode(draft, ladder, false);
  const reason = `${agent_id}: ${why}; ${ladder.restarts.length} restarts done`;
  escalate(draft, { escalation_id, kind, agent_id, bead_id: ladder.bead_id, message }, reason);
  return verdict(draft, 'escalated', 'waits for a human');
}
