/**
 * What the deacon remembers of a bead, in numbers (ms): the rungs already climbed. It lives in
 * `deacon/beads/<bead>.json` and outlives every process (decision 5); `ledgerSchema` is its form on disk.
 */
import type { Ledger } from './records.ts';
import { parseTime, toIso } from './time.ts';

/** Seed 001: three restarts for one bead; the fourth need goes to the human. */
export const hardMaxRestarts = 3;

const keptNudges = 20;

export const severities = ['warning', 'alert', 'critical'] as const;
export type Severity = (typeof severities)[number];

export interface NudgeMark {
  nudge_id: string;
  at: number;
  /** What delivery came to; null while it is only intended. */
  receipt: string | null;
  answeredAt: number | null;
  /** Work resumed within the interval; null while undecided. A reply alone is no work. */
  effective: boolean | null;
}

export interface RestartMark {
  n: number;
  at: number;
  /** `requested` until the mayor's procedure has answered. */
  outcome: string;
  /** The run that was to be replaced: tells after a crash whether it was. */
  run: string | null;
}

export interface Ladder {
  bead_id: string;
  agent_id: string;
  /** Start of the assignment these marks belong to. */
  assignedAt: number;
  /** When work first began after the assignment; null: not yet. */
  begunAt: number | null;
  /** Whether the assignment was counted as an activation, begun in time or not. */
  activation: boolean;
  episodes: number;
  stalledAt: number | null;
  /** Last activity as it was known when the episode opened: only another one is a recovery, whatever the clock did. */
  quietAt: number | null;
  nudges: readonly NudgeMark[];
  restarts: readonly RestartMark[];
  severity: Severity | null;
  mailedAt: number | null;
  escalatedAt: number | null;
  /** Whether the escalation's file is known to exist. */
  escalationOpened: boolean;
}

export const newLadder = (beadId: string, agentId: string, assignedAt: number): Ladder => ({
  bead_id: beadId,
  agent_id: agentId,
  assignedAt,
  begunAt: null,
  activation: false,
  episodes: 0,
  stalledAt: null,
  quietAt: null,
  nudges: [],
  restarts: [],
  severity: null,
  mailedAt: null,
  escalatedAt: null,
  escalationOpened: false,
});

/** One escalation an episode, by its name. */
export const escalationIdOf = (ladder: Ladder): string => `esc-${ladder.bead_id}-${ladder.episodes}`;

/** Adds a mark and drops the oldest beyond twenty. */
export const withNudge = (ladder: Ladder, mark: NudgeMark): Ladder => ({
  ...ladder,
  nudges: [...ladder.nudges.slice(1 - keptNudges), mark],
});

/** The episode is over; restarts are kept, they count for the bead and not for the episode. */
export const closeEpisode = (ladder: Ladder): Ladder => ({
  ...ladder,
  stalledAt: null,
  quietAt: null,
  severity: null,
  mailedAt: null,
  escalatedAt: null,
  escalationOpened: false,
});

/** A human's reset: three restarts and a clean episode again. The number of episodes stays, it is history. */
export const resetLadder = (ladder: Ladder): Ladder => ({ ...closeEpisode(ladder), nudges: [], restarts: [] });

/**
 * Times after `now` come from a clock that was set back since. They are moved to `now`, so that waits start anew and
 * none is skipped; `assignedAt` stays, it identifies the assignment. Answers `ladder` itself when nothing had to move.
 */
export function rebaseLadder(ladder: Ladder, now: number): Ladder {
  const ahead = (ms: number | null): boolean => ms !== null && ms > now;
  const moved =
    ahead(ladder.stalledAt) ||
    ahead(ladder.mailedAt) ||
    ahead(ladder.escalatedAt) ||
    ladder.nudges.some((mark) => ahead(mark.at) || ahead(mark.answeredAt)) ||
    ladder.restarts.some((mark) => ahead(mark.at));
  if (!moved) return ladder;
  const cap = <T extends number | null>(ms: T): T => (ms !== null && ms > now ? (now as T) : ms);
  return {
    ...ladder,
    stalledAt: cap(ladder.stalledAt),
    mailedAt: cap(ladder.mailedAt),
    escalatedAt: cap(ladder.escalatedAt),
    nudges: ladder.nudges.map((mark) => ({ ...mark, at: cap(mark.at), answeredAt: cap(mark.answeredAt) })),
    restarts: ladder.restarts.map((mark) => ({ ...mark, at: cap(mark.at) })),
  };
}

const iso = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

/** The record of `deacon/beads/<bead>.json`. */
export const ladderToRecord = (ladder: Ladder): Ledger => ({
  bead_id: ladder.bead_id,
  agent_id: ladder.agent_id,
  assigned_at: toIso(ladder.assignedAt),
  begun_at: iso(ladder.begunAt),
  activation: ladder.activation,
  episodes: ladder.episodes,
  stalled_at: iso(ladder.stalledAt),
  quiet_at: iso(ladder.quietAt),
  nudges: ladder.nudges.map((mark) => ({
    nudge_id: mark.nudge_id,
    at: toIso(mark.at),
    receipt: mark.receipt,
    answered_at: iso(mark.answeredAt),
    effective: mark.effective,
  })),
  restarts: ladder.restarts.map((mark) => ({ n: mark.n, at: toIso(mark.at), outcome: mark.outcome, run: mark.run })),
  severity: ladder.severity,
  mailed_at: iso(ladder.mailedAt),
  escalated_at: iso(ladder.escalatedAt),
  escalation_opened: ladder.escalationOpened,
});

/** The numbers of a record that passed `ledgerSchema`; what an older writer left out takes its plainest value. */
export function ladderFromRecord(record: Ledger): Ladder {
  const ms = (text: string | null | undefined): number | null => parseTime(text);
  return {
    bead_id: record.bead_id,
    agent_id: record.agent_id,
    assignedAt: ms(record.assigned_at) ?? 0,
    begunAt: ms(record.begun_at),
    activation: record.activation ?? false,
    episodes: record.episodes,
    stalledAt: ms(record.stalled_at),
    quietAt: ms(record.quiet_at),
    nudges: record.nudges.map((mark) => ({
      nudge_id: mark.nudge_id,
      at: ms(mark.at) ?? 0,
      receipt: mark.receipt === undefined ? 'sent' : mark.receipt,
      answeredAt: ms(mark.answered_at),
      effective: mark.effective,
    })),
    restarts: record.restarts.map((mark) => ({
      n: mark.n,
      at: ms(mark.at) ?? 0,
      outcome: mark.outcome,
      run: mark.run ?? null,
    })),
    severity: record.severity ?? null,
    mailedAt: ms(record.mailed_at),
    escalatedAt: ms(record.escalated_at),
    escalationOpened: record.escalation_opened ?? record.escalated_at !== null,
  };
}
