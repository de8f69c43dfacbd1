/** Everything that is known of one agent, read now: the input of `deriveState`, for `status` and the control pane alike. */
import { type AgentLedger, agentLedgerFromRecord, agentLedgerSchema } from '../domain/agent-ledger.ts';
import { type Pace, scalePace, standardPace } from '../domain/backoff.ts';
import type { AgentConfig } from '../domain/config.ts';
import { ladderFromRecord } from '../domain/ladder.ts';
import type { ModeRecord } from '../domain/mode/record.ts';
import type { PaneInfo } from '../domain/probe.ts';
import type { AgentRecord, Gate, Nudge, SessionRecord } from '../domain/records.ts';
import type { ScreenReading } from '../domain/screen.ts';
import type { StateFacts } from '../domain/state-picture.ts';
import { type EffectiveThresholds, effectiveThresholds } from '../domain/thresholds.ts';
import { parseTime, toIso } from '../domain/time.ts';
import { runtimeOf } from '../runtimes/registry.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import { scaled, type Town } from './context.ts';
import { silentCause } from './events/silence.ts';
import { toolsInFlight } from './events/tool-calls.ts';
import { modeRecordsOf, modeSessionOf } from './modes/records.ts';
import { probeOf } from './running.ts';

/** What is asked once for all agents. */
export interface Surroundings {
  townRunning: boolean;
  panes: Map<string, PaneInfo> | { unknown: string };
  /** What the panes' screens said, by agent; an agent that was not looked at is missing. */
  screens: ReadonlyMap<string, ScreenReading>;
}

export interface AgentFacts {
  config: AgentConfig;
  record: AgentRecord | null;
  state: StateFacts;
  thresholds: EffectiveThresholds;
  nudge: Nudge | null;
  /** Modes of the agent's own session, by priority, those that ended too. */
  modes: readonly ModeRecord[];
}

export function gatherFacts(town: Town, config: AgentConfig, around: Surroundings): AgentFacts {
  const { store } = town;
  const id = config.agent_id;
  const agent = store.agents.read(id);
  const record = agent.kind === 'ok' ? agent.value : null;
  const hook = store.hooks.read(id);
  const beadId = hook.kind === 'ok' ? (hook.value.work_item?.bead_id ?? null) : null;
  const bead = beadId === null ? null : store.beads.read(beadId);
  const session = record?.session_id ? store.sessions.read(record.session_id) : null;
  const ledger = beadId === null ? null : store.ledgers.read(beadId);
  const nudge = store.nudge(id).read();
  const inFlight = toolsInFlight(store, id);
  const probe = probeOf(town, record, around.panes);
  const { descriptor } = runtimeFor(town, config);
  const thresholds = thresholdsOf(town, config);
  return {
    config,
    record,
    thresholds,
    nudge: nudge.kind === 'ok' ? nudge.value : null,
    modes: modesOfAgent(store, record),
    state: {
      townRunning: around.townRunning,
      agent,
      hook,
      bead: bead?.kind === 'ok' ? bead.value : null,
      session: session?.kind === 'ok' ? session.value : null,
      heartbeat: { tool: store.heartbeat.read(id, 'tool'), event: store.heartbeat.read(id, 'event') },
      openTools: inFlight?.tools ?? [],
      toolSince: inFlight?.since ?? null,
      silentCause: record?.started_at && record.first_event_at === null ? silentCause(town, config.runtime) : null,
      probe,
      exitMeaning: probe.answer === 'yes' && probe.exit !== null ? (descriptor.exitCodes[probe.exit] ?? null) : null,
      screen: around.screens.get(id) ?? null,
      limit: toldLimit(town, session?.kind === 'ok' ? session.value : null),
      gates: openGates(town, [id, ...(beadId === null ? [] : [beadId]), 'town']),
      ladder: ledger?.kind === 'ok' ? ladderFromRecord(ledger.value) : null,
      ledger: agentLedger(town, id),
      thresholds,
      pace: paceOf(town),
      spawnMs: scaled(town, Math.max(spawnSeconds, descriptor.startWindowS)),
    },
  };
}

/** A limit without an end is tried again after so long. */
const unknownLimitSeconds = 300;

/** What the session's own events said of a usage limit; a prompt since then has ended it. */
function toldLimit(town: Town, session: SessionRecord | null): StateFacts['limit'] {
  const limit = session?.limit;
  if (!limit || !session.governed || session.ended_at) return null;
  const at = parseTime(limit.at);
  if (at === null) return null;
  return { at, until: parseTime(limit.until) ?? at + scaled(town, unknownLimitSeconds), line: limit.line };
}

const noModes: readonly ModeRecord[] = [];

function modesOfAgent(store: Town['store'], record: AgentRecord | null): readonly ModeRecord[] {
  const sessionId = record && modeSessionOf(record);
  return sessionId === null ? noModes : modeRecordsOf(store, sessionId);
}

/** A start that has shown no sign of readiness for so long is not "spawning" any more. */
const spawnSeconds = 90;

export const runtimeFor = (town: Town, config: AgentConfig): Runtime => runtimeOf(config.runtime, town.config.runtimes);

export const thresholdsOf = (town: Town, config: AgentConfig): EffectiveThresholds =>
  effectiveThresholds({
    env: town.env,
    config: town.config,
    runtime: runtimeFor(town, config).descriptor,
    timeScale: town.scale,
  });

export const paceOf = (town: Town): Pace => (town.scale === 1 ? standardPace : scalePace(standardPace, town.scale));

/** `deacon/agents/<agent>.json`: what the deacon remembers of an agent. */
export const agentLedgerRecord = (town: Pick<Town, 'store'>, agentId: string) =>
  town.store.record(`deacon/agents/${agentId}.json`, agentLedgerSchema);

function agentLedger(town: Town, agentId: string): AgentLedger | null {
  const read = agentLedgerRecord(town, agentId).read();
  return read.kind === 'ok' ? agentLedgerFromRecord(read.value) : null;
}

/** A gate whose record cannot be read counts as open: it holds back, and a human has to look. */
function openGates(town: Town, targets: readonly string[]): { target: string; gate: Gate }[] {
  return targets.flatMap((target) => {
    const read = town.store.gates.read(target);
    if (read.kind === 'absent') return [];
    if (read.kind === 'ok') return [{ target, gate: read.value }];
    const reason = `the record of the gate of ${target} is ${read.kind}`;
    return [{ target, gate: { kind: 'human', reason, opened_at: toIso(town.clock()), by: 'gastown' } }];
  });
}
