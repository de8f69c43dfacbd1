/**
 * Ending modes for good: tombstones first, all runs in one write; then the records become inactive; then they are removed.
 * After the tombstones nothing acts on those runs any more, whatever it has read before (field report 44).
 */
import type { ModeName } from '../../domain/mode/names.ts';
import { cancelledKept, type ModeRecord } from '../../domain/mode/record.ts';
import { toIso } from '../../domain/time.ts';
import type { LockOptions } from '../../store/lock.ts';
import type { EventStore } from '../events/store.ts';
import { allModes, type FoundMode } from './records.ts';
import { cancelledSlot, modeSlot, removeState, writeState } from './state.ts';
import { tellJournal } from './tell-journal.ts';

export interface CancelRequest {
  /** Null: of every agent. */
  agentId: string | null;
  /** Null: of every session of the agent. */
  sessionId?: string | null;
  /** Null: every mode. Runs linked to a cancelled one are cancelled with it. */
  mode: ModeName | null;
  by: string;
}

export interface Cancelled {
  /** Runs that were active. */
  cancelled: { mode: ModeName; agent_id: string; session_id: string; run_id: string; path: string }[];
  /** Records of runs that were over already, removed as well. */
  cleared: { mode: ModeName; session_id: string; path: string }[];
}

/** Answers what it did; nothing active is for the caller to report. A corrupt record is left where it is. */
export async function cancelModes(
  store: EventStore,
  request: CancelRequest,
  now: number,
  lock?: LockOptions,
): Promise<Cancelled> {
  const found = allModes(store).flatMap((one) => matching(one, request));
  const runs = new Set(found.map(({ run_id }) => run_id));
  const linked = allModes(store).flatMap(({ read }) =>
    read.kind === 'ok' && read.value.linked_to !== null && runs.has(read.value.linked_to) ? [read.value] : [],
  );
  const all = [...found, ...linked.filter(({ run_id }) => !runs.has(run_id))];
  if (all.length === 0) return { cancelled: [], cleared: [] };

  const at = toIso(now);
  await writeState(
    store,
    cancelledSlot(store),
    (current) => ({
      runs: [
        ...(current?.runs ?? []).filter((one) => !all.some(({ run_id }) => run_id === one.run_id)),
        ...all.map(({ run_id, mode, session_id, agent_id }) => ({
          run_id,
          mode,
          session_id,
          agent_id,
          at,
          by: request.by,
        })),
      ].slice(-cancelledKept),
    }),
    lock,
  );
  // Looked for again: a session that took another id meanwhile has its modes in another folder.
  for (const { read } of allModes(store)) {
    const isOver = read.kind === 'ok' && all.some(({ run_id }) => run_id === read.value.run_id);
    if (isOver) await remove(store, read.value, lock);
  }
  for (const record of all.filter(({ active }) => active)) {
    tellJournal(store, record, 'mode.cancelled', `${record.mode} of ${record.agent_id} is cancelled`, request.by, now);
  }
  const place = (record: ModeRecord) => ({
    mode: record.mode,
    agent_id: record.agent_id,
    session_id: record.session_id,
    run_id: record.run_id,
    path: modeSlot(store, record.session_id, record.mode).path,
  });
  return {
    cancelled: all.filter(({ active }) => active).map(place),
    cleared: all.filter(({ active }) => !active).map(place),
  };
}

function matching({ mode, sessionId, read }: FoundMode, request: CancelRequest): ModeRecord[] {
  if (read.kind !== 'ok') return [];
  const isWanted =
    (request.agentId === null || read.value.agent_id === request.agentId) &&
    (request.sessionId == null || sessionId === request.sessionId) &&
    (request.mode === null || mode === request.mode);
  return isWanted ? [read.value] : [];
}

/** Of this run alone: another that began in its place since is none of ours. */
async function remove(store: EventStore, { session_id, mode, run_id }: ModeRecord, lock?: LockOptions): Promise<void> {
  const slot = modeSlot(store, session_id, mode);
  await writeState(
    store,
    slot,
    (current) => (current?.run_id === run_id && current.active ? { ...current, active: false, next: null } : null),
    lock,
  );
  await removeState(store, slot, (read) => read.kind === 'ok' && read.value.run_id === run_id, lock);
}
