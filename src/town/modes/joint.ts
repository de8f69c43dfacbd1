/**
 * Joint runs: a mode of several agents at once (swarm, ultrapilot). The run itself belongs to the town and lies below its
 * own id, so that it ends with no session; each member has a run in its own session, linked to it. Cancelling the joint
 * run, or all modes of the agent that leads it, cancels every member with the same write.
 */

import { GastownError } from '../../domain/errors.ts';
import type { ModeState } from '../../domain/mode/mode.ts';
import type { ModeName } from '../../domain/mode/names.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import type { EventStore } from '../events/store.ts';
import { changeMode, endMode } from './change.ts';
import { allModes, isCancelled, jointRuns, modeRecordsOf, modeSessionOf } from './records.ts';
import { startMode } from './start.ts';
import { modeSlot, removeState, type StatePlace, writeState } from './state.ts';
import { tellJournal } from './tell-journal.ts';

const isRunning = (store: StatePlace, record: ModeRecord): boolean => record.active && !isCancelled(store, record);

/** The members' runs as they are on disk, those that ended too. */
export const membersOf = (store: StatePlace, joint: Pick<ModeRecord, 'run_id'>): ModeRecord[] =>
  allModes(store).flatMap(({ read }) =>
    read.kind === 'ok' && read.value.linked_to === joint.run_id ? [read.value] : [],
  );

/** Takes the agent in. Null where it cannot be now: it never ran, or another mode excludes this one. */
export async function join(
  store: EventStore,
  joint: ModeRecord,
  member: { agentId: string; state: ModeState; say: boolean },
  now: number,
): Promise<ModeRecord | null> {
  try {
    const { record } = await startMode(
      store,
      {
        mode: joint.mode,
        agentId: member.agentId,
        goal: joint.goal,
        by: 'gastown',
        options: { state: member.state },
        maxIterations: joint.max_iterations,
        linkedTo: joint.run_id,
        way: member.say ? 'type' : null,
      },
      now,
    );
    return record;
  } catch (error) {
    if (error instanceof GastownError && (error.exit === 3 || error.exit === 5)) return null;
    throw error;
  }
}

/**
 * A member whose agent has begun another session since (it was restarted) takes its run along: the work is the agent's,
 * not the conversation's. Answers the members that run, where they lie now.
 */
export async function followMembers(store: EventStore, joint: ModeRecord): Promise<ModeRecord[]> {
  const members = membersOf(store, joint).filter((member) => isRunning(store, member));
  return Promise.all(members.map((member) => follow(store, member)));
}

async function follow(store: EventStore, member: ModeRecord): Promise<ModeRecord> {
  const read = store.agents.read(member.agent_id);
  const to = read.kind === 'ok' ? modeSessionOf(read.value) : null;
  if (to === null || to === member.session_id || read.kind !== 'ok') return member;
  const { instance_id } = read.value;
  const moved = await writeState(store, modeSlot(store, to, member.mode), (present) => {
    if (present?.active || isCancelled(store, member)) return null;
    // What was owed was owed to the conversation that is gone.
    return { ...member, session_id: to, instance_id, next: null, held: null };
  });
  await removeState(
    store,
    modeSlot(store, member.session_id, member.mode),
    (there) => there.kind === 'ok' && there.value.run_id === member.run_id,
  );
  return moved.value ?? member;
}

/** Writes what the service counted, where it is other than before; a run that is over stays as it is. */
export async function keepState(store: StatePlace, run: ModeRecord, state: ModeState, at: string): Promise<void> {
  if (JSON.stringify(run.state) === JSON.stringify(state)) return;
  await changeMode(store, run, (current) => ({ ...current, state, last_checked_at: at }));
}

/** Ends the joint run and every member; the joint one first, so that nobody is taken in any more. */
export async function endJoint(
  store: EventStore,
  joint: ModeRecord,
  end: { kind: 'done' | 'failed'; why: string },
  now: number,
): Promise<ModeRecord | null> {
  const ended = await endMode(store, joint, end, now);
  for (const member of membersOf(store, joint)) {
    if (member.active) await endMode(store, member, { kind: 'done', why: `the ${joint.mode} has ended` }, now);
  }
  if (ended !== null) {
    const message = `${joint.mode} of ${joint.agent_id} ends: ${end.why}`;
    tellJournal(store, ended, `mode.${end.kind}`, message, 'gastown', now);
  }
  return ended;
}

/** The joint run that the agent's present session takes part in; null for none. */
export function jointOf(
  store: EventStore,
  agentId: string,
  mode: ModeName,
): { member: ModeRecord; joint: ModeRecord } | null {
  const agent = store.agents.read(agentId);
  const sessionId = agent.kind === 'ok' ? modeSessionOf(agent.value) : null;
  if (sessionId === null) return null;
  const member = modeRecordsOf(store, sessionId).find((one) => one.mode === mode && isRunning(store, one));
  const joint = member && jointRuns(store, mode).find(({ run_id }) => run_id === member.linked_to);
  return member && joint ? { member, joint } : null;
}
