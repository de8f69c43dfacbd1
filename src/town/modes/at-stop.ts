/**
 * A session stops: `domain/mode/stop.ts` decides, and this writes and answers. Files alone are read: nothing here starts a
 * program or waits for a network. A block is only answered after its count is on disk, in the very run it was decided for.
 */

import type { RuntimeEvent } from '../../domain/event.ts';
import { isDeclared } from '../../domain/freshness.ts';
import { boundText } from '../../domain/mode/apply.ts';
import type { ModeFacts, Step } from '../../domain/mode/mode.ts';
import { modes } from '../../domain/mode/modes.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { said } from '../../domain/mode/said.ts';
import { type Candidate, decideStop, type StopDecision, type StopInput } from '../../domain/mode/stop.ts';
import { type StopCause, stopCause } from '../../domain/mode/stop-cause.ts';
import { type AgentRecord, leaseSchema, type SessionRecord } from '../../domain/records.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import { leaseHolder } from '../../store/lease.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { lookAt, ownIdentity } from '../../store/process-identity.ts';
import type { EventStore } from '../events/store.ts';
import { advanceMode, endLinked, stillOf } from './advance.ts';
import { changeMode, endMode } from './change.ts';
import { lookAtMode } from './look.ts';
import { cancelledRuns, modeRecordsOf } from './records.ts';
import { readState } from './state.ts';
import { tellJournal } from './tell-journal.ts';

export interface Stopping {
  store: EventStore;
  agent: AgentRecord;
  session: SessionRecord;
  event: RuntimeEvent;
  now: number;
  /** Added to what the agent is told: its own unfinished todos, a tool that keeps failing. */
  advice?: string;
  /** For tests: between reading and writing. */
  beforeWrite?: () => Promise<void>;
}

export interface StopAnswer {
  /** The turn goes on with this; null: it ends. */
  block: string | null;
  /** The town goes on with this session by itself: nobody has to declare why it stops. */
  taken: boolean;
  decision: StopDecision;
}

const lock = { waitMs: eventLockWaitMs };

export async function answerStop(stopping: Stopping): Promise<StopAnswer> {
  const { store, event, agent, now } = stopping;
  const way = wayOf(store, agent, now);
  // Each round ends one run or answers; a run that changed under us is looked at once more.
  for (let round = 0; round < 12; round += 1) {
    const records = modeRecordsOf(store, event.session_id ?? '').filter(({ active }) => active);
    const facts = lookAtMode(store, agent);
    const input = inputOf(stopping, records, facts, way);
    const decision = decideStop(input);
    if (decision.do === 'pass') {
      await hold(stopping, records, input.cause);
      return { block: null, taken: false, decision };
    }
    const record = records.find(({ mode }) => mode === decision.mode);
    if (record === undefined) break;
    await stopping.beforeWrite?.();
    const answer = await carryOut(stopping, record, decision, facts, way);
    if (answer !== null) return { ...answer, decision };
  }
  return { block: null, taken: false, decision: { do: 'pass', why: 'no_mode' } };
}

/** Null: look again. */
async function carryOut(
  { store, now, advice }: Stopping,
  record: ModeRecord,
  decision: Exclude<StopDecision, { do: 'pass' }>,
  facts: ModeFacts,
  way: 'type' | 'answer',
): Promise<Omit<StopAnswer, 'decision'> | null> {
  const by = record.agent_id;
  if (decision.do === 'end') {
    const counted = { ...record, still: stillOf(store, record) };
    const why = boundText(decision.why, counted);
    const ended = await endMode(store, record, { kind: 'failed', why }, now, lock);
    if (ended !== null) {
      tellJournal(store, ended, 'mode.failed', `${record.mode} of ${by} ends: ${why}`, by, now);
      await endLinked(store, ended, now, lock);
    }
    return null;
  }
  if (record.next !== null && record.next.kind === 'say' && decision.do === 'say') return { block: null, taken: true };
  const onlyIf = (current: ModeRecord): boolean => JSON.stringify(current) === JSON.stringify(record);
  const advanced = await advanceMode(store, {
    run: record,
    event: { kind: 'idle' },
    facts,
    way,
    by,
    now,
    onlyIf,
    lock,
    ...(advice ? { advice } : {}),
  });
  if (advanced === null) return null;
  if (!advanced.record.active) return null;
  const { step } = advanced;
  if (step.kind === 'say' && way === 'answer') return { block: step.text, taken: true };
  if (step.kind === 'run' && way === 'answer') {
    const names = step.commands.map(({ name }) => name).join(', ');
    return {
      block: said(record.mode, `Now the town's own commands are run (${names}): ${facts.gt} phase done`),
      taken: true,
    };
  }
  return { block: null, taken: true };
}

function inputOf(
  stopping: Stopping,
  records: readonly ModeRecord[],
  facts: ModeFacts,
  way: 'type' | 'answer',
): StopInput {
  const { store, agent, session, event, now } = stopping;
  const cancelled = cancelledRuns(store);
  const own = cancelled.filter(({ session_id }) => session_id === event.session_id);
  // What was begun after a cancel was begun on purpose.
  const begun = Math.max(0, ...records.map(({ started_at }) => parseTime(started_at) ?? 0));
  const times = own.flatMap(({ at }) => parseTime(at) ?? []).filter((at) => at >= begun);
  return {
    sessionId: event.session_id ?? '',
    now,
    cause: stopCause(event),
    cancelledAt: times.length === 0 ? null : Math.max(...times),
    reentrant: event.stopBlocked,
    way,
    ownWork: hasOwnWork(store, agent, session, event),
    pane: paneOf(session),
    modes: records.map(
      (record): Candidate => ({
        mode: record.mode,
        sessionId: record.session_id,
        active: record.active,
        cancelled: cancelled.some(({ run_id }) => run_id === record.run_id || run_id === record.linked_to),
        sameRun: record.instance_id === agent.instance_id,
        checkedAt: latest(record.started_at, record.last_checked_at),
        iteration: record.iteration,
        maxIterations: record.max_iterations,
        still: stillOf(store, record),
        wish: wishOf(record, facts),
      }),
    ),
  };
}

/** What it owes already is its wish; else what its reducer would do now. */
function wishOf(record: ModeRecord, facts: ModeFacts): Step['kind'] {
  if (record.next !== null && record.next.kind !== 'say') return 'wait';
  return modes[record.mode].reduce(record, { kind: 'idle' }, facts).step.kind;
}

function latest(...times: readonly string[]): number | null {
  const known = times.flatMap((time) => parseTime(time) ?? []);
  return known.length === 0 ? null : Math.max(...known);
}

/** Waits for something of its own: subagents, a wake-up it has set, what it declared, an open gate (decision 11). */
function hasOwnWork(store: EventStore, agent: AgentRecord, session: SessionRecord, event: RuntimeEvent): boolean {
  const running = event.running ?? session.subagents ?? [];
  const wakes = event.payload['session_crons'];
  if (running.length > 0 || (Array.isArray(wakes) && wakes.length > 0) || isDeclared(session)) return true;
  return [agent.agent_id, 'town'].some((target) => store.gates.read(target).kind !== 'absent');
}

/** The program whose session this is. Its event is a sign of life: an owner that seems gone was a wrapper in between. */
const paneOf = ({ owner }: SessionRecord): StopInput['pane'] =>
  owner && lookAt({ ...owner, hostname: ownIdentity().hostname }) === 'alive' ? 'alive' : 'unknown';

/** The town types where it owns the pane and somebody is there to type: the deacon. */
export function wayOf(store: Pick<EventStore, 'paths'>, agent: AgentRecord, now: number): 'type' | 'answer' {
  if (agent.pane_id === null) return 'answer';
  const lease = readState(store, { path: store.paths.lease, schema: leaseSchema, flush: true });
  return lease.kind === 'ok' && leaseHolder(lease.value, now) !== 'gone' ? 'type' : 'answer';
}

/** A turn that ended for a reason is let go with nothing owed, and the row says why. */
async function hold(
  { store, now, agent }: Stopping,
  records: readonly ModeRecord[],
  why: StopCause | null,
): Promise<void> {
  if (why === null) return;
  for (const record of records) {
    const held = await changeMode(
      store,
      record,
      (current) => ({
        ...current,
        next: current.next?.kind === 'say' ? null : current.next,
        held: { why, at: toIso(now) },
        last_checked_at: toIso(now),
      }),
      lock,
    );
    if (held === null) continue;
    const message = `${record.mode} of ${agent.agent_id} lets go: ${why.replaceAll('_', ' ')}`;
    tellJournal(store, held, 'mode.released', message, agent.agent_id, now);
  }
}

/** A human spoke: what was owed to the session is overtaken, and it is held no longer. */
export async function yieldToPrompt(store: EventStore, sessionId: string): Promise<void> {
  for (const record of modeRecordsOf(store, sessionId)) {
    if (!record.active || (record.held === null && record.next?.kind !== 'say')) continue;
    await changeMode(
      store,
      record,
      (current) => ({ ...current, held: null, next: current.next?.kind === 'say' ? null : current.next }),
      lock,
    );
  }
}
