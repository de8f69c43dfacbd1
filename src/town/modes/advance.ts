/** One event for a mode that runs: its reducer says what follows, and that is written, if the run is still the same. */
import { applyStep, type Way } from '../../domain/mode/apply.ts';
import type { ModeEvent, ModeFacts, Reduced, Step } from '../../domain/mode/mode.ts';
import { modes } from '../../domain/mode/modes.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import type { LockOptions } from '../../store/lock.ts';
import type { EventStore } from '../events/store.ts';
import { changeMode, endMode, type ModeRun } from './change.ts';
import { allModes, modeRecordsOf } from './records.ts';
import type { StatePlace } from './state.ts';
import { tellJournal } from './tell-journal.ts';

export interface Advanced {
  record: ModeRecord;
  step: Step;
}

export interface Advance {
  run: ModeRun;
  event: ModeEvent;
  facts: ModeFacts;
  way: Way;
  by: string;
  now: number;
  /** False refuses: what the caller decided by is not what is there any more. */
  onlyIf?: (current: ModeRecord) => boolean;
  /** Added to what the agent is told. */
  advice?: string;
  lock?: LockOptions;
}

/** Null where nothing was written: the run is over, cancelled, another one, or `onlyIf` said no. */
export async function advanceMode(
  store: EventStore,
  { run, event, facts, way, by, now, onlyIf = () => true, advice, lock }: Advance,
): Promise<Advanced | null> {
  let step: Step | null = null;
  const record = await changeMode(
    store,
    run,
    (current) => {
      if (!onlyIf(current)) return null;
      const reduced = withAdvice(modes[current.mode].reduce(current, event, facts), advice);
      step = reduced.step;
      return applyStep({ ...current, still: nextStill(store, current, event, step) }, reduced, way, now);
    },
    lock,
  );
  if (record === null || step === null) return null;
  await settle(store, record, step, way, by, now, lock);
  return { record, step };
}

const withAdvice = ({ state, step }: Reduced, advice: string | undefined): Reduced =>
  advice && step.kind === 'say' ? { state, step: { ...step, text: `${step.text}\n${advice}` } } : { state, step };

/** Only being sent on once more counts; the agent's own word and a reviewer's are progress. */
function nextStill(store: EventStore, record: ModeRecord, event: ModeEvent, step: Step): number {
  if (event.kind === 'phase_done' || event.kind === 'verdict') return 0;
  const still = stillOf(store, record);
  return still === 0 || (event.kind === 'idle' && step.kind === 'say') ? still : record.still;
}

/** Turns without a tool since the last continuation, this one included: what a tool event leaves is the sign of work. */
export function stillOf(store: Pick<EventStore, 'heartbeat'>, record: ModeRecord): number {
  if (record.continued_at === null) return 0;
  const tool = store.heartbeat.read(record.agent_id, 'tool')?.at ?? 0;
  return tool > Date.parse(record.continued_at) ? 0 : record.still + 1;
}

async function settle(
  store: EventStore,
  record: ModeRecord,
  step: Step,
  way: Way,
  by: string,
  now: number,
  lock?: LockOptions,
): Promise<void> {
  const { mode, agent_id, iteration, max_iterations, ended } = record;
  if (ended !== null) {
    tellJournal(store, record, `mode.${ended.kind}`, `${mode} of ${agent_id} ends: ${ended.why}`, by, now);
    await endLinked(store, record, now, lock);
    return;
  }
  // What is typed has its receipt when it is typed.
  if (step.kind !== 'say' || way === 'type') return;
  const message = `${mode} ${iteration}/${max_iterations} of ${agent_id}: continued by the answer to its ${way === 'call' ? 'call' : 'event'}`;
  tellJournal(store, record, 'mode.continued', message, by, now);
}

/** The runs that one started end with it. */
export async function endLinked(store: EventStore, record: ModeRecord, now: number, lock?: LockOptions): Promise<void> {
  for (const other of modeRecordsOf(store, record.session_id)) {
    if (other.linked_to !== record.run_id || !other.active) continue;
    await endMode(store, other, { kind: 'done', why: `${record.mode} has ended` }, now, lock);
  }
}

/** The active run with that request, wherever it is; null when nobody asked, or not any more. */
export function runOfRequest(store: StatePlace, requestId: string): ModeRecord | null {
  for (const { read } of allModes(store)) {
    if (read.kind !== 'ok' || !read.value.active || read.value.next?.kind !== 'review') continue;
    if (read.value.next.request_id === requestId) return read.value;
  }
  return null;
}
