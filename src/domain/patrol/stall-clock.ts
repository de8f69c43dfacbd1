/**
 * The one stall clock (decision 3): now − max(activity, assignment, prime, restart). The end of whatever suspended GUPP
 * counts too: time spent asking, limited, paused or asleep is not silence. A nudge never moves it.
 */
import type { AgentLedger } from '../agent-ledger.ts';
import type { Ladder } from '../ladder.ts';
import type { AgentFacts, PatrolFacts } from './facts.ts';

export interface StallClock {
  /** Silence is counted from here; never after `now`. */
  since: number;
  /** Last activity that can be believed; null: none. */
  activityAt: number | null;
  /** A time lies further ahead of the clock than hosts differ: not believed. */
  future: boolean;
}

/** `ledger` and `ladder` as remembered (null: nothing yet); all times in ms. */
export function readStallClock(
  agent: AgentFacts,
  town: PatrolFacts,
  ladder: Ladder | null,
  ledger: AgentLedger,
  now: number,
): StallClock {
  const limit = now + town.pace.skewMs;
  let since = town.floorAt <= limit ? town.floorAt : 0;
  let future = false;
  const believe = (ms: number | null): number | null => {
    if (ms === null) return null;
    if (ms > limit) {
      future = true;
      return null;
    }
    const at = ms > now ? now : ms;
    if (at > since) since = at;
    return at;
  };
  const activityAt = believe(agent.activityAt);
  if (agent.hook.kind === 'work') believe(agent.hook.assignedAt);
  believe(agent.primedAt);
  believe(agent.startedAt);
  believe(ledger.floorAt);
  const restart = ladder?.restarts.at(-1);
  if (restart) believe(restart.at);
  // Not one time to go by, or one that cannot be: silence is counted from the deacon's own first look.
  if (since === 0 || future) believe(Math.min(town.seenSince, now));
  return { since: Math.min(since, now), activityAt, future };
}
