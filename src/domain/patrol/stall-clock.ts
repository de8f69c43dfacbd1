/**
 * The one stall clock (decision 3): now − max(activity, assignment, prime, restart). The end of whatever suspended GUPP
 * counts too: time spent asking, limited, paused or asleep is not silence. A nudge never moves it.
 */
import type { AgentLedger } from '../agent-ledger.ts';
import type { Pace } from '../backoff.ts';
import type { Ladder } from '../ladder.ts';
import type { AgentFacts } from './facts.ts';

export interface StallClock {
  /** Silence is counted from here; never after `now`. */
  since: number;
  /** Last activity that can be believed; null: none. */
  activityAt: number | null;
  /** A time lies further ahead of the clock than hosts differ: not believed. */
  future: boolean;
}

export type ClockFacts = Pick<AgentFacts, 'activityAt' | 'hook' | 'primedAt' | 'startedAt'>;

/** `ledger` and `ladder` as remembered (null: nothing yet); all times in ms. */
export function readStallClock(
  agent: ClockFacts,
  town: { floorAt: number; seenSince: number; pace: Pick<Pace, 'skewMs'> },
  ladder: Pick<Ladder, 'restarts'> | null,
  ledger: Pick<AgentLedger, 'floorAt'>,
  now: number,
): StallClock {
  const { skewMs } = town.pace;
  const hook = agent.hook.kind === 'work' ? agent.hook.assignedAt : null;
  const restart = ladder?.restarts.at(-1)?.at ?? null;
  const limit = now + skewMs;
  const future =
    isAfter(agent.activityAt, limit) ||
    isAfter(hook, limit) ||
    isAfter(agent.primedAt, limit) ||
    isAfter(agent.startedAt, limit);
  let since = town.floorAt <= limit ? town.floorAt : 0;
  since = later(since, agent.activityAt, limit);
  since = later(since, hook, limit);
  since = later(since, agent.primedAt, limit);
  since = later(since, agent.startedAt, limit);
  since = later(since, ledger.floorAt, limit);
  since = later(since, restart, limit);
  // Not one time to go by, or one that cannot be: silence is counted from the deacon's own first look.
  if (since === 0 || future) since = Math.max(since, Math.min(town.seenSince, now));
  const activityAt = isAfter(agent.activityAt, limit) ? null : agent.activityAt;
  return {
    since: Math.min(since, now),
    activityAt: activityAt === null ? null : Math.min(activityAt, now),
    future,
  };
}

const isAfter = (ms: number | null, limit: number): boolean => ms !== null && ms > limit;

const later = (since: number, ms: number | null, limit: number): number =>
  ms !== null && ms <= limit && ms > since ? ms : since;
