/** Keeps an assignment's ladder true before anything is decided: what began, what was answered, what worked. */

import { closeEpisode, escalationIdOf, type Ladder, type NudgeMark, newLadder } from '../ladder.ts';
import type { Sample } from '../metrics.ts';
import { toIso } from '../time.ts';
import { beadOf, type Draft, wakeAt } from './draft.ts';

/** Brings `draft.ladder` up to date; emits samples and the notice of a recovery. `suspended`: GUPP does not apply now. */
export function keepLadder(draft: Draft, suspended: boolean): void {
  const { agent } = draft;
  if (agent.hook.kind !== 'work') return;
  const { bead_id, assignedAt } = agent.hook;
  const known = draft.ladder;
  if (known === null) {
    // Done before it was ever seen: only the journal knows when it began.
    if (agent.hook.status === 'completed' && agent.begunAt === null) return;
    draft.ladder = newLadder(bead_id, agent.agent_id, assignedAt);
  } else if (known.assignedAt !== assignedAt || known.agent_id !== agent.agent_id) {
    draft.ladder = reassigned(draft, known, assignedAt);
  }
  settleNudge(draft);
  settleEscalation(draft);
  countActivation(draft, suspended);
  takeReply(draft);
  weighNudges(draft);
  noticeRecovery(draft);
}

/** Restarts count for the bead, whoever has it now; the episode was the last owner's. */
function reassigned(draft: Draft, ladder: Ladder, assignedAt: number): Ladder {
  if (ladder.stalledAt !== null && ladder.escalatedAt === null) sampleEpisode(draft, ladder, false);
  const { agent_id } = draft.agent;
  return { ...closeEpisode(ladder), agent_id, assignedAt, begunAt: null, activation: false };
}

/**
 * A restart that was intended when a deacon died: another run than the one it was to replace proves that it happened;
 * the same run proves that it did not. Until that is known it counts.
 */
export function settleRestart(ladder: Ladder, run: string | null): Ladder {
  const mark = ladder.restarts.at(-1);
  if (mark?.outcome !== 'requested' || run === null) return ladder;
  const rest = ladder.restarts.slice(0, -1);
  return { ...ladder, restarts: mark.run === run ? rest : [...rest, { ...mark, outcome: 'done' }] };
}

/** A nudge that was intended when a deacon died: its file is the proof. */
function settleNudge(draft: Draft): void {
  const { ladder } = draft;
  const mark = ladder?.nudges.at(-1);
  if (!ladder || !mark || mark.receipt !== null) return;
  const rest = ladder.nudges.slice(0, -1);
  const written = draft.agent.nudgeFile === mark.nudge_id;
  draft.ladder = { ...ladder, nudges: written ? [...rest, { ...mark, receipt: 'written' }] : rest };
}

function settleEscalation(draft: Draft): void {
  const { ladder } = draft;
  if (!ladder || ladder.escalatedAt === null || ladder.escalationOpened) return;
  // Not proven open: undecided again, under the same id.
  const open = draft.agent.escalations.includes(escalationIdOf(ladder));
  draft.ladder = open ? { ...ladder, escalationOpened: true } : { ...ladder, escalatedAt: null };
}

function countActivation(draft: Draft, suspended: boolean): void {
  const { ladder, agent, now } = draft;
  if (!ladder || agent.hook.kind !== 'work') return;
  const windowEnd = agent.hook.assignedAt + agent.idealResponseMs;
  if (agent.hook.status !== 'pending' && ladder.begunAt === null) {
    const begun = Math.min(agent.begunAt ?? draft.clock.activityAt ?? now, now);
    const tookMs = Math.max(0, begun - agent.hook.assignedAt);
    sample(draft, { metric: 'response', seconds: tookMs / 1000, session: agent.session });
    if (!ladder.activation) {
      sample(draft, { metric: 'activation', strategy: agent.strategy, success: tookMs <= agent.idealResponseMs });
    }
    draft.ladder = { ...ladder, begunAt: begun, activation: true };
  } else if (!ladder.activation && !suspended) {
    if (now <= windowEnd) {
      wakeAt(draft, windowEnd + 1);
      return;
    }
    sample(draft, { metric: 'activation', strategy: agent.strategy, success: false });
    draft.ladder = { ...ladder, activation: true };
  }
}

function takeReply(draft: Draft): void {
  const { ladder } = draft;
  const { reply } = draft.agent;
  if (!ladder || !reply) return;
  const index = ladder.nudges.findLastIndex((mark) =>
    reply.nudge_id === null ? mark.at <= reply.at : mark.nudge_id === reply.nudge_id,
  );
  const mark = ladder.nudges[index];
  if (!mark || mark.answeredAt !== null) return;
  const answered = { ...mark, answeredAt: Math.min(Math.max(reply.at, mark.at), draft.now) };
  draft.ladder = { ...ladder, nudges: ladder.nudges.with(index, answered) };
}

function weighNudges(draft: Draft): void {
  const { ladder, now } = draft;
  if (!ladder?.nudges.some((mark) => mark.effective === null)) return;
  const { activityAt } = draft.clock;
  const weigh = (mark: NudgeMark): NudgeMark => {
    if (mark.effective !== null) return mark;
    const end = mark.at + draft.agent.thresholds.nudgeMs;
    const resumed = movedSince(draft, ladder, mark.at);
    if (!resumed && now <= end) {
      wakeAt(draft, end + 1);
      return mark;
    }
    const effective = resumed && activityAt !== null && activityAt <= end;
    sample(draft, { metric: 'nudge', nudge_id: mark.nudge_id, effective });
    return { ...mark, effective };
  };
  const nudges = ladder.nudges.map(weigh);
  if (nudges.some((mark, index) => mark !== ladder.nudges[index])) draft.ladder = { ...ladder, nudges };
}

function noticeRecovery(draft: Draft): void {
  const { ladder } = draft;
  if (!ladder || ladder.stalledAt === null || !movedSince(draft, ladder, ladder.stalledAt)) return;
  if (ladder.escalatedAt === null) sampleEpisode(draft, ladder, true);
  const restarts = restartsOf(ladder);
  draft.effects.push({
    kind: 'notice',
    about: 'recovered',
    agent_id: draft.agent.agent_id,
    bead_id: ladder.bead_id,
    reason: `${draft.agent.agent_id} works again on ${ladder.bead_id}${restarts > 0 ? ` after ${restarts} restarts` : ''}`,
  });
  draft.ladder = closeEpisode(ladder);
}

function movedSince(draft: Draft, ladder: Ladder, ms: number): boolean {
  const { activityAt } = draft.clock;
  return activityAt !== null && activityAt > ms && draft.agent.activityAt !== ladder.quietAt;
}

const restartsOf = (ladder: Ladder): number => {
  const { stalledAt } = ladder;
  return stalledAt === null ? 0 : ladder.restarts.filter((mark) => mark.at >= stalledAt).length;
};

/** How an episode ended; one that went to the human is counted as failed at that moment and not again. */
export function sampleEpisode(draft: Draft, ladder: Ladder, recovered: boolean): void {
  sample(draft, { metric: 'episode', restarts: restartsOf(ladder), recovered });
}

type Measured<S extends Sample = Sample> = S extends Sample
  ? Omit<S, 'at' | 'agent_id' | 'runtime' | 'bead_id'>
  : never;

export function sample(draft: Draft, measured: Measured): void {
  const { agent_id, runtime } = draft.agent;
  const common = { at: toIso(draft.now), agent_id, runtime, bead_id: beadOf(draft) };
  draft.effects.push({ kind: 'sample', sample: { ...common, ...measured } as Sample });
}
