/** Which modes there are, on disk and now. */
import { existsSync } from 'node:fs';
import { refused } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { type ModeName, modeNames } from '../../domain/mode/names.ts';
import type { CancelledRuns, ModeRecord } from '../../domain/mode/record.ts';
import type { AgentRecord } from '../../domain/records.ts';
import { listNames } from '../../store/atomic-write.ts';
import { type RecordRead, requireReadable } from '../../store/record.ts';
import type { EventStore } from '../events/store.ts';
import { cancelledSlot, modeSlot, readState, type StatePlace } from './state.ts';

export interface FoundMode {
  mode: ModeName;
  sessionId: string;
  read: RecordRead<ModeRecord>;
}

/**
 * Where the modes of an agent lie: its session's id, or until a session of it is known the id of its run; the first event
 * takes them along.
 */
export const modeSessionOf = ({
  session_id,
  instance_id,
}: Pick<AgentRecord, 'session_id' | 'instance_id'>): string | null => session_id ?? instance_id;

/** The agent with its session for modes. Throws exit 3 for one that was never started here, exit 4 for a corrupt record. */
export function modeSession(store: EventStore, agentId: string): { agent: AgentRecord; sessionId: string } {
  const agent = requireReadable(store.agents.place(agentId), store.agents.read(agentId));
  const sessionId = agent && modeSessionOf(agent);
  if (agent === null || sessionId === null) throw refused(`${agentId} was never started here`, 'gastown up starts it');
  return { agent, sessionId };
}

/** The mode files of a session, by priority; a session without any costs one look at a folder. */
export function modesOf(store: StatePlace, sessionId: string): FoundMode[] {
  const names = namesIn(store.paths.sessionModes(sessionId));
  return modeNames
    .filter((mode) => names.includes(`${mode}.json`))
    .map((mode) => ({ mode, sessionId, read: readState(store, modeSlot(store, sessionId, mode)) }))
    .filter(({ read }) => read.kind !== 'absent');
}

/** The readable records of a session. One nobody can read is no mode: it continues nothing. */
export const modeRecordsOf = (store: StatePlace, sessionId: string): ModeRecord[] =>
  modesOf(store, sessionId).flatMap(({ read }) => (read.kind === 'ok' ? [read.value] : []));

/** The mode files of the whole town. */
export const allModes = (store: StatePlace): FoundMode[] =>
  sessionsIn(store)
    .sort()
    .flatMap((sessionId) => modesOf(store, sessionId));

const sessionsIn = (store: StatePlace): string[] =>
  namesIn(store.paths.modesDir).filter((name) => isId('session', name));

/** A run of several agents (`joint.ts`) is the town's own: it lies below its own id, and no session ever stops with that. */
export const isJoint = ({ session_id, run_id }: Pick<ModeRecord, 'session_id' | 'run_id'>): boolean =>
  session_id === run_id;

/** The joint runs of the mode that run; a cancelled one is none, whatever its file says. */
export const jointRuns = (store: StatePlace, mode: ModeName): ModeRecord[] =>
  sessionsIn(store)
    .filter((name) => name.startsWith(runPrefix))
    .flatMap((name) => modeRecordsOf(store, name))
    .filter((record) => isJoint(record) && record.mode === mode && record.active && !isCancelled(store, record));

export const runPrefix = 'run-';

/** Throws exit 4 when the tombstones cannot be read: then nobody knows what was cancelled. */
export const cancelledRuns = (store: StatePlace): CancelledRuns['runs'] =>
  requireReadable(
    { ...cancelledSlot(store), stateDir: store.paths.stateDir, idKey: null },
    readState(store, cancelledSlot(store)),
  )?.runs ?? [];

export const isCancelled = (store: StatePlace, record: Pick<ModeRecord, 'run_id' | 'linked_to'>): boolean =>
  cancelledRuns(store).some(({ run_id }) => run_id === record.run_id || run_id === record.linked_to);

function namesIn(folder: string): string[] {
  // Most sessions have no modes, and each agent is asked on every look: a missing folder must not cost an exception.
  if (!existsSync(folder)) return [];
  try {
    return listNames(folder);
  } catch {
    return [];
  }
}
