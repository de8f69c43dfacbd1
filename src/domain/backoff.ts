/**
 * Back-off of starts: an agent that dies at once is not started at once for ever (field report 20). Waits double from
 * 30 s to 10 min, never less than the cooldown; five starts within 15 minutes are a crash loop, which gets one trial an
 * hour until a human resets it or a trial lives.
 */
import type { AgentLedger } from './agent-ledger.ts';

/** Waits of the deacon that are not thresholds, in ms; one set, so that tests can shorten all of them alike. */
export interface Pace {
  backoffMs: number;
  backoffCapMs: number;
  loopWindowMs: number;
  loopStarts: number;
  loopTrialMs: number;
  /** Alive for so long after a start: the counters begin anew. */
  stableMs: number;
  /** Between two agents that resume after the same usage limit. */
  staggerMs: number;
  /** Between two looks at a screen that shows a dialog, or a limit without an end. */
  relookMs: number;
  /** Times up to so far ahead of the clock are taken for now: file systems and hosts differ a little. */
  skewMs: number;
}

export const standardPace: Pace = {
  backoffMs: 30_000,
  backoffCapMs: 600_000,
  loopWindowMs: 900_000,
  loopStarts: 5,
  loopTrialMs: 3_600_000,
  stableMs: 1_800_000,
  staggerMs: 10_000,
  relookMs: 30_000,
  skewMs: 5_000,
};

/** All waits times `factor`; counts stay. */
export const scalePace = (pace: Pace, factor: number): Pace => ({
  ...pace,
  backoffMs: pace.backoffMs * factor,
  backoffCapMs: pace.backoffCapMs * factor,
  loopWindowMs: pace.loopWindowMs * factor,
  loopTrialMs: pace.loopTrialMs * factor,
  stableMs: pace.stableMs * factor,
  staggerMs: pace.staggerMs * factor,
  relookMs: pace.relookMs * factor,
});

/** The wait after the `done`-th start (0: after one that was not ours) before the next. */
export function backoffDelayMs(pace: Pace, done: number, cooldownMs: number): number {
  const doubled = pace.backoffMs * 2 ** Math.max(0, done - 1);
  return Math.min(Math.max(doubled, done > 0 ? cooldownMs : 0), Math.max(pace.backoffCapMs, cooldownMs));
}

export type StartPlan =
  | { kind: 'start'; n: number }
  | { kind: 'wait'; until: number }
  | { kind: 'loop'; until: number; trial: boolean };

/** When a dead agent without work may be started. `last` is its last start by anyone, ms. */
export function planStart(ledger: AgentLedger, last: number, pace: Pace, cooldownMs: number, now: number): StartPlan {
  const done = ledger.starts.length;
  const fifth = ledger.starts.at(-pace.loopStarts);
  if (ledger.crashloopAt !== null || (fifth !== undefined && last - fifth.at <= pace.loopWindowMs)) {
    const until = Math.max(last, ledger.crashloopAt ?? now) + pace.loopTrialMs;
    return { kind: 'loop', until, trial: now >= until };
  }
  const until = last + backoffDelayMs(pace, done, cooldownMs);
  return now >= until ? { kind: 'start', n: done + 1 } : { kind: 'wait', until };
}
