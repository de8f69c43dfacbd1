/** What the rules of `state.ts` look at: the facts with their times believed or not, and everything derived once. */
import { type AgentLedger, newAgentLedger, rebaseAgentLedger, type Standing } from './agent-ledger.ts';
import type { Pace } from './backoff.ts';
import type { Bead } from './bead.ts';
import type { Hook } from './hook.ts';
import { type Ladder, rebaseLadder } from './ladder.ts';
import { readStallClock } from './patrol/stall-clock.ts';
import type { PaneProbe } from './probe.ts';
import type { AgentRecord, Gate, SessionRecord } from './records.ts';
import type { ScreenReading } from './screen.ts';
import type { EffectiveThresholds } from './thresholds.ts';
import { parseTime } from './time.ts';

/** A record as it was read; what the store answers fits. */
type Fact<T> =
  | { kind: 'absent' }
  | { kind: 'ok'; value: T }
  /** `quarantine`: path of the copy, null where none could be made. */
  | { kind: 'corrupt'; reason: string; quarantine: string | null }
  | { kind: 'unreadable'; reason: string };

interface Beat {
  at: number;
  word: string;
}

/** All instants in ms. What was not looked at is null, and weakens nothing but the evidence. */
export interface StateFacts {
  townRunning: boolean;
  agent: Fact<AgentRecord>;
  hook: Fact<Hook>;
  /** The bead on the hook. */
  bead: Pick<Bead, 'status'> | null;
  /** The session that the agent's run is bound to. */
  session: SessionRecord | null;
  heartbeat: { tool: Beat | null; event: Beat | null };
  /** Tools whose calls are open, oldest first, and since when the latest of them is; null where only that it is. */
  openTools: readonly string[];
  toolSince?: number | null;
  /** Why no event of its runtime may arrive; null or absent where silence is no news. */
  silentCause?: string | null;
  probe: PaneProbe;
  /** What the exit code says in this runtime, where that is no crash. */
  exitMeaning: string | null;
  screen: ScreenReading | null;
  /** A usage limit told by the runtime itself. */
  limit: { until: number | null; at: number; line: string } | null;
  /** Open ones, the agent's own first, then its bead's, then the town's. */
  gates: readonly { gate: Gate }[];
  /** What the deacon remembers of the bead on the hook, and of the agent. */
  ladder: Ladder | null;
  ledger: AgentLedger | null;
  thresholds: Pick<EffectiveThresholds, 'stallMs' | 'cooldownMs'>;
  pace: Pace;
  /** How long a start may take until the first sign of readiness. */
  spawnMs: number;
}

export interface Picture {
  facts: StateFacts;
  now: number;
  agent: AgentRecord | null;
  hook: Hook | null;
  session: SessionRecord | null;
  /** Work that must be run is on the hook. */
  work: boolean;
  /** `gone`: no pane; `ended`: the pane is there, its program is not. */
  process: 'alive' | 'ended' | 'gone' | 'unknown';
  exitText: string;
  startedAt: number | null;
  /** Some sign of readiness in this run. */
  ready: boolean;
  /** Last state change of the hook. */
  writtenAt: number | null;
  silentSince: number;
  silentMs: number;
  /** The screen, where behaviour makes it plausible: an agent that moves is not at a dialog, whatever it prints. */
  screen: ScreenReading | null;
  /** The deacon's last look, while it still holds. */
  standing: Standing | null;
  ladder: Ladder | null;
  ledger: AgentLedger;
  restarts: number;
  /** Whether the agent showed activity after `at`. */
  moved(at: number): boolean;
  /** Times of files, null when absent or further in the future than clocks differ. */
  time(text: string | null | undefined): number | null;
  believe(ms: number | null): number | null;
}

export function toPicture(facts: StateFacts, now: number): Picture {
  const believe = (ms: number | null): number | null =>
    ms === null || ms > now + facts.pace.skewMs ? null : Math.min(ms, now);
  const time = (text: string | null | undefined): number | null => believe(parseTime(text));
  const agent = facts.agent.kind === 'ok' ? facts.agent.value : null;
  const hook = facts.hook.kind === 'ok' ? facts.hook.value : null;
  const status = hook?.status === 'pending' || hook?.status === 'active' ? hook.status : null;
  const work = status !== null;
  const startedAt = time(agent?.started_at);
  const writtenAt = time(hook?.last_activity);
  const toolAt = believe(facts.heartbeat.tool?.at ?? null);
  // What sling wrote into a pending hook is no sign of life.
  const ownAt = status === 'active' ? writtenAt : null;
  const lifeAt = latest([toolAt, believe(facts.heartbeat.event?.at ?? null), ownAt]);
  const ledger = facts.ledger ? rebaseAgentLedger(facts.ledger, now) : newAgentLedger(agent?.agent_id ?? '');
  const assignedAt = time(hook?.work_item?.assigned_at) ?? 0;
  const ladder = ofAssignment(facts.ladder && rebaseLadder(facts.ladder, now), hook);
  const clock = readStallClock(
    {
      activityAt: latest([toolAt, writtenAt]),
      hook:
        status === null
          ? { kind: 'empty' }
          : { kind: 'work', status, bead_id: hook?.work_item?.bead_id ?? '', assignedAt },
      primedAt: time(agent?.primed_at),
      startedAt,
    },
    { floorAt: 0, seenSince: startedAt ?? 0, pace: facts.pace },
    ladder,
    ledger,
    now,
  );
  const moved = (at: number): boolean => lifeAt !== null && lifeAt > at;
  const silentMs = now - clock.since;
  const plausible = !moved(startedAt ?? 0) || now - (lifeAt ?? 0) > facts.thresholds.stallMs;
  return {
    facts,
    now,
    agent,
    hook,
    session: ofRun(facts.session, agent),
    work,
    process: processOf(facts.probe),
    exitText: exitText(facts.probe),
    startedAt,
    ready:
      agent?.ready_at != null ||
      agent?.first_event_at != null ||
      facts.screen?.kind === 'ready' ||
      moved(startedAt ?? 0),
    writtenAt,
    silentSince: clock.since,
    silentMs,
    screen: plausible ? current(facts.screen, now) : null,
    standing: holds(ledger.standing, now, moved) ? ledger.standing : null,
    ladder,
    ledger,
    restarts: ladder?.restarts.length ?? 0,
    moved,
    time,
    believe,
  };
}

const latest = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((at) => at !== null);
  return known.length === 0 ? null : Math.max(...known);
};

/** A predecessor's declaration says nothing about this run. */
function ofRun(session: SessionRecord | null, agent: AgentRecord | null): SessionRecord | null {
  if (session === null || !session.governed) return null;
  const other = session.instance_id != null && agent?.instance_id != null && session.instance_id !== agent.instance_id;
  return other || session.ended_at != null ? null : session;
}

const ofAssignment = (ladder: Ladder | null, hook: Hook | null): Ladder | null =>
  ladder !== null && ladder.bead_id === hook?.work_item?.bead_id ? ladder : null;

function processOf(probe: PaneProbe): Picture['process'] {
  if (probe.answer === 'unknown') return 'unknown';
  if (probe.answer === 'no') return 'gone';
  return probe.dead ? 'ended' : 'alive';
}

function exitText(probe: PaneProbe): string {
  if (probe.answer === 'no') return 'its pane is gone';
  return probe.answer === 'yes' && probe.exit !== null ? `exit ${probe.exit}` : 'its program is gone';
}

/** A banner whose time is over is an old one. */
const current = (screen: ScreenReading | null, now: number): ScreenReading | null =>
  screen?.kind === 'limited' && screen.until !== null && screen.until <= now ? null : screen;

const holds = (standing: Standing | null, now: number, moved: (at: number) => boolean): boolean =>
  standing !== null && !moved(standing.at) && (standing.until === null || standing.until > now);
