/**
 * Whether a session that stops is sent on, as one table read from the top: bypasses first, then the modes by priority.
 * Pure; the reasons are seed 004's ("bypass conditions", "mode priority") and decision 10.
 */
import { hardMaximum, type ModeName, modeNames } from './names.ts';
import type { StopCause } from './stop-cause.ts';

/** What the mode itself would do next; `mode.ts`. */
export type Wish = 'say' | 'run' | 'review' | 'workers' | 'wait' | 'finish' | 'fail';

export interface Candidate {
  mode: ModeName;
  sessionId: string;
  active: boolean;
  /** Its run is among the cancelled ones. */
  cancelled: boolean;
  /** Its record was last looked at in the agent's present run. */
  sameRun: boolean;
  /** The later of start and last look, ms; null: no readable time. */
  checkedAt: number | null;
  iteration: number;
  maxIterations: number;
  /** Continuations in a row after which no tool was used, this stop included. */
  still: number;
  wish: Wish;
}

export interface StopInput {
  sessionId: string;
  /** Milliseconds. */
  now: number;
  /** What ended the turn, as the runtime says; null: it ended by itself. */
  cause: StopCause | null;
  /** When a run of this session was last cancelled, ms; null: never. */
  cancelledAt: number | null;
  /** This stop follows one that was answered with a block. */
  reentrant: boolean;
  /** How a continuation would reach the agent: typed by the town, or by this stop's answer. */
  way: 'type' | 'answer';
  /** The session waits for something of its own: a subagent, a question, a declaration, an open gate. */
  ownWork: boolean;
  /** The program in the agent's pane. */
  pane: 'alive' | 'gone' | 'unknown';
  modes: readonly Candidate[];
}

export const bypasses = [
  'context_limit',
  'user_abort',
  'cancel',
  'rate_limit',
  'authentication',
  'turn_failed',
  'reentrant',
  'own_work',
] as const;
export type Bypass = (typeof bypasses)[number];

export type StopDecision =
  /** Let go; nothing about any mode changes. */
  | { do: 'pass'; why: Bypass | 'no_mode' }
  /** The one mode that is heard, and what follows: its own wish, or its end by a bound. */
  | { do: 'say' | 'run' | 'review' | 'workers' | 'wait' | 'finish' | 'fail'; mode: ModeName }
  | { do: 'end'; mode: ModeName; why: 'no_progress' | 'hard_maximum' };

/** The turn that cancels a mode is let go, whatever else runs in its session; so is any other for so long. */
export const cancelGraceMs = 30_000;
/** A record nobody looked at for so long counts only while its own pane lives. */
export const staleMs = 2 * 3_600_000;
/** Turns without a tool that are put up with. */
export const stillLimit = 3;

export function decideStop(input: StopInput): StopDecision {
  const why = bypassed(input);
  if (why !== null) return { do: 'pass', why };
  const heard = modeNames
    .flatMap((name) => input.modes.filter(({ mode }) => mode === name))
    .find((candidate) => applies(candidate, input));
  if (heard === undefined) return { do: 'pass', why: 'no_mode' };
  const { mode, wish } = heard;
  if (wish === 'finish' || wish === 'fail' || wish === 'wait') return { do: wish, mode };
  if (heard.still >= stillLimit && wish === 'say') return { do: 'end', mode, why: 'no_progress' };
  if (heard.iteration >= Math.min(heard.maxIterations, hardMaximum)) return { do: 'end', mode, why: 'hard_maximum' };
  return { do: wish, mode };
}

function bypassed({ cause, cancelledAt, now, reentrant, way, ownWork }: StopInput): Bypass | null {
  const causes: Record<Bypass, boolean> = {
    context_limit: cause === 'context_limit',
    user_abort: cause === 'user_abort',
    cancel: cancelledAt !== null && Math.abs(now - cancelledAt) < cancelGraceMs,
    rate_limit: cause === 'rate_limit',
    authentication: cause === 'authentication',
    turn_failed: cause === 'turn_failed',
    // A typed continuation begins a turn of its own, so there is nothing to re-enter.
    reentrant: reentrant && way === 'answer',
    own_work: ownWork,
  };
  return bypasses.find((bypass) => causes[bypass]) ?? null;
}

/** Of exactly this session, not cancelled, and neither dead nor forgotten (seed 004's session isolation). */
export function applies(candidate: Candidate, { sessionId, pane, now }: StopInput): boolean {
  const { active, cancelled, sameRun, checkedAt } = candidate;
  if (candidate.sessionId !== sessionId || !active || cancelled || pane === 'gone') return false;
  if (pane === 'alive' && sameRun) return true;
  return checkedAt !== null && now - checkedAt <= staleMs;
}
