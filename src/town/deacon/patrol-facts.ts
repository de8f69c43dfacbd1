/** From what was read of an agent to what the patrol is told of it. */
import { agentLedgerFromRecord, newAgentLedger } from '../../domain/agent-ledger.ts';
import { ladderFromRecord } from '../../domain/ladder.ts';
import { gateOfModes } from '../../domain/mode/waits.ts';
import type { HookFacts, AgentFacts as PatrolAgent, ProcessFacts } from '../../domain/patrol/facts.ts';
import type { PaneProbe } from '../../domain/probe.ts';
import type { AgentRecord, SessionRecord } from '../../domain/records.ts';
import type { ScreenReading } from '../../domain/screen.ts';
import type { StateFacts } from '../../domain/state-picture.ts';
import { parseTime } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { type AgentFacts, agentLedgerRecord, runtimeFor } from '../facts.ts';

/** The patrol's own files of an agent. */
export type Memory = Pick<PatrolAgent, 'reply' | 'ladder' | 'ledger'>;

/** Reads them; `beadId` is the bead on its hook. */
export const readMemory = (town: Town, agentId: string, beadId: string | null): Memory => ({
  reply: replyOf(town, agentId),
  ladder: beadId === null ? null : ladderOf(town, beadId),
  ledger: ledgerOf(town, agentId),
});

/** What the deacon knows of an agent beside its files. */
export interface Beside {
  serverOk: boolean;
  screen: ScreenReading | null;
  busy: boolean;
  /** When work on the present assignment began, where the journal told. */
  begunAt: number | null;
  /** Ids of all escalations on file. */
  escalations: readonly string[];
}

/** `facts` and `memory` as they were read last; reads nothing. */
export function patrolAgent(town: Town, facts: AgentFacts, memory: Memory, beside: Beside): PatrolAgent {
  const { record, state, config } = facts;
  const { descriptor } = runtimeFor(town, config);
  const id = config.agent_id;
  const hook = hookOf(state.hook);
  const startedAt = parseTime(record?.started_at);
  const process = processOf(record, state.probe, state.exitMeaning, beside.serverOk);
  return {
    agent_id: id,
    runtime: descriptor.id,
    strategy: record?.strategy ?? descriptor.strategy,
    hook,
    activityAt: activityOf(state.hook, state.heartbeat.tool?.at ?? null, town.clock() + state.pace.skewMs),
    begunAt: beside.begunAt,
    primedAt: parseTime(record?.primed_at),
    startedAt,
    process,
    run: runOf(record, state.probe, beside.serverOk),
    session: record?.session_id ?? record?.instance_id ?? null,
    declared: declaredOf(state.session),
    openTool: process.kind === 'alive' && hasOpenTool(facts, startedAt),
    gate: state.gates[0]?.gate ?? gateOfModes(facts.modes),
    reply: memory.reply,
    limit: state.limit,
    screen: beside.screen,
    ladder: memory.ladder,
    ledger: memory.ledger,
    nudgeFile: facts.nudge?.nudge_id ?? null,
    escalations: beside.escalations,
    thresholds: facts.thresholds,
    idealResponseMs: descriptor.idealResponseS * 1000 * town.scale,
    unrestartable: config.role === 'crew' ? "it is a human's own slot" : null,
    busy: beside.busy,
  };
}

function hookOf(read: StateFacts['hook']): HookFacts {
  if (read.kind === 'corrupt' || read.kind === 'unreadable') return { kind: 'unreadable', why: read.reason };
  const item = read.kind === 'ok' ? read.value.work_item : null;
  if (read.kind !== 'ok' || read.value.status === 'empty' || item === null) return { kind: 'empty' };
  return {
    kind: 'work',
    status: read.value.status,
    bead_id: item.bead_id,
    assignedAt: parseTime(item.assigned_at) ?? 0,
  };
}

/** The later of file and tool heartbeat (decision 3); one that lies in the future never hides the other. */
function activityOf(read: StateFacts['hook'], toolAt: number | null, limit: number): number | null {
  const fileAt = read.kind === 'ok' ? parseTime(read.value.last_activity) : null;
  const both = [fileAt, toolAt].filter((at) => at !== null);
  const believable = both.filter((at) => at <= limit);
  const from = believable.length > 0 ? believable : both;
  return from.length === 0 ? null : Math.max(...from);
}

function processOf(
  record: AgentRecord | null,
  probe: PaneProbe,
  meaning: string | null,
  serverOk: boolean,
): ProcessFacts {
  if (record === null || record.started_at === null || record.stop_intent) return { kind: 'stopped' };
  if (!serverOk) return { kind: 'unknown', why: 'the tmux server does not answer' };
  if (probe.answer === 'unknown') return { kind: 'unknown', why: probe.why };
  if (probe.answer === 'no') return { kind: 'dead', exit: null, meaning: null };
  return probe.dead ? { kind: 'dead', exit: probe.exit, meaning } : { kind: 'alive' };
}

/** Another text than before means that the program was started anew since. */
export function runOf(record: AgentRecord | null, probe: PaneProbe, serverOk: boolean): string | null {
  if (record?.instance_id == null || !serverOk || probe.answer === 'unknown') return null;
  return `${record.instance_id}:${probe.answer === 'yes' ? probe.pid : 'gone'}`;
}

/** A permission prompt waits for a human as a question does. */
function declaredOf(session: SessionRecord | null): PatrolAgent['declared'] {
  if (session === null || !session.governed) return null;
  const since = parseTime(session.updated_at) ?? 0;
  if (session.permission) return { status: 'asking', note: `permission: ${session.permission.tool}`, since };
  return { status: session.status, note: session.note ?? session.proposal, since };
}

/** Calls of a run that has ended say nothing of this one. */
function hasOpenTool({ state }: AgentFacts, startedAt: number | null): boolean {
  if (state.openTools.length === 0) return false;
  const beat = state.heartbeat.tool?.at ?? null;
  return startedAt === null || beat === null || beat >= startedAt;
}

function replyOf(town: Town, agentId: string): PatrolAgent['reply'] {
  const read = town.store.nudgeReply(agentId).read();
  if (read.kind !== 'ok') return null;
  const at = parseTime(read.value.timestamp);
  return at === null ? null : { nudge_id: read.value.in_reply_to ?? null, at };
}

function ladderOf(town: Town, beadId: string): PatrolAgent['ladder'] {
  const read = town.store.ledgers.read(beadId);
  if (read.kind === 'absent') return null;
  return read.kind === 'ok' ? ladderFromRecord(read.value) : { unreadable: read.reason };
}

function ledgerOf(town: Town, agentId: string): PatrolAgent['ledger'] {
  const read = agentLedgerRecord(town, agentId).read();
  if (read.kind === 'absent') return newAgentLedger(agentId);
  return read.kind === 'ok' ? agentLedgerFromRecord(read.value) : { unreadable: read.reason };
}
