/**
 * A swarm, looked after: counts written into its runs, members that were restarted followed, idle agents taken in while
 * tasks wait, and the end when no task is left. The deacon does it every round; each `gt task` does it for its own agent.
 */
import { join as joinPath } from 'node:path';
import { conflict } from '../../domain/errors.ts';
import { excludedBy } from '../../domain/mode/names.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { shellWord } from '../../domain/quote.ts';
import { type Crew, crewOf, memberState, swarmState } from '../../domain/swarm.ts';
import { isFinished, type Task, type TaskCounts } from '../../domain/task.ts';
import { toIso } from '../../domain/time.ts';
import type { TaskStore } from '../../store/tasks/tasks.ts';
import type { Town } from '../context.ts';
import { openEscalation } from '../deacon/escalations.ts';
import { endJoint, followMembers, join, jointOf, keepState, membersOf } from '../modes/joint.ts';
import { modeRecordsOf, modeSessionOf } from '../modes/records.ts';
import { tellJournal } from '../modes/tell-journal.ts';
import { runningAgents } from '../running.ts';
import { withTasks } from '../tasks/with-tasks.ts';

/** What the deacon waits for the store: it has others to look after, and comes again. */
const patrolWaitMs = 100;

/** The deacon's round. */
export async function patrolSwarm(town: Town, joint: ModeRecord): Promise<void> {
  await withTasks(town, (tasks) => serveSwarm(town, tasks, joint), patrolWaitMs);
}

/** After a word of this agent about a task: its own run knows at once, and the last task ends the swarm. */
export async function afterTaskOf(town: Town, tasks: TaskStore, agentId: string): Promise<void> {
  const own = jointOf(town.store, agentId, 'swarm');
  if (own === null) return;
  const now = town.clock();
  const counts = tasks.counts(own.joint.run_id, now);
  if (isFinished(counts)) return endSwarm(town, own.joint, counts);
  const held = tasks.held(now).filter(({ run_id }) => run_id === own.joint.run_id);
  await keepState(town.store, own.member, stateOf(town, own.member, { joint: own.joint, counts, held }), toIso(now));
}

/** `leader`: the agent that leads must be taken in, or nothing begins (exit 5). */
export async function serveSwarm(
  town: Town,
  tasks: TaskStore,
  joint: ModeRecord,
  { leader = false }: { leader?: boolean } = {},
): Promise<void> {
  const now = town.clock();
  const counts = tasks.counts(joint.run_id, now);
  if (isFinished(counts)) return endSwarm(town, joint, counts);
  const look: Look = { joint, counts, held: tasks.held(now).filter(({ run_id }) => run_id === joint.run_id) };
  const crew = crewOf(joint.state);
  const taken: ModeRecord[] = [];
  if (leader) taken.push(await takeInLeader(town, look));
  const members = [
    ...(await followMembers(town.store, joint)).filter(({ run_id }) => run_id !== taken[0]?.run_id),
    ...taken,
  ];
  if (counts.pending > 0) taken.push(...(await fillUp(town, look, crew, members)));
  if (members.length + taken.length === 0) {
    const why = `nobody is left to work on ${counts.pending + counts.claimed} tasks`;
    return failSwarm(town, joint, why);
  }
  const at = toIso(now);
  for (const member of members) await keepState(town.store, member, stateOf(town, member, look), at);
  const joined = [...new Set([...crew.joined, ...[...members, ...taken].map(({ agent_id }) => agent_id)])];
  await keepState(town.store, joint, { ...swarmState({ ...crew, joined }, counts, look.held) }, at);
}

interface Look {
  joint: ModeRecord;
  counts: TaskCounts;
  held: readonly Task[];
}

async function takeInLeader(town: Town, look: Look): Promise<ModeRecord> {
  const { agent_id: id } = look.joint;
  const member = await takeIn(town, look, id);
  if (member !== null) return member;
  throw conflict(`${id} cannot take part: another mode is active`, `end it: gastown mode cancel ${id}`);
}

/** Agents that run, have nothing else to do and never were in this swarm. */
async function fillUp(town: Town, look: Look, crew: Crew, members: readonly ModeRecord[]): Promise<ModeRecord[]> {
  const taken: ModeRecord[] = [];
  const running = await runningAgents(town);
  const present = members.filter(({ agent_id }) => running.has(agent_id)).length;
  const free = Math.min(crew.workers - present, look.counts.pending);
  if (free <= 0) return taken;
  const known = new Set([...crew.joined, ...membersOf(town.store, look.joint).map(({ agent_id }) => agent_id)]);
  for (const { agent_id: id, role } of town.agents) {
    if (taken.length >= free) break;
    if (role !== 'polecat' || !running.has(id) || known.has(id) || !hasNothing(town, id)) continue;
    const member = await takeIn(town, look, id);
    if (member !== null) taken.push(member);
  }
  return taken;
}

async function takeIn(town: Town, look: Look, agentId: string): Promise<ModeRecord | null> {
  const now = town.clock();
  const member = await join(town.store, look.joint, { agentId, state: stateFor(town, agentId, look), say: true }, now);
  if (member !== null) tellJournal(town.store, member, 'swarm.joined', `${agentId} is in the swarm`, 'gastown', now);
  return member;
}

function hasNothing(town: Town, agentId: string): boolean {
  const hook = town.store.hooks.read(agentId);
  if (hook.kind !== 'absent' && !(hook.kind === 'ok' && hook.value.status === 'empty')) return false;
  const agent = town.store.agents.read(agentId);
  const sessionId = agent.kind === 'ok' ? modeSessionOf(agent.value) : null;
  if (sessionId === null) return false;
  const active = modeRecordsOf(town.store, sessionId).filter((record) => record.active);
  return (
    excludedBy(
      'swarm',
      active.map(({ mode }) => mode),
    ).length === 0
  );
}

const stateOf = (town: Town, member: ModeRecord, look: Look) => ({
  ...member.state,
  ...stateFor(town, member.agent_id, look),
});

function stateFor(town: Town, agentId: string, { joint, counts, held }: Look) {
  const agent = town.store.agents.read(agentId);
  const sessionId = agent.kind === 'ok' ? agent.value.session_id : null;
  return memberState({
    agent_id: agentId,
    counts,
    held,
    goal: joint.goal,
    gt: shellWord(joinPath(town.binDir, 'gt')),
    tells: sessionId !== null && town.store.sessions.read(sessionId).kind === 'ok',
  });
}

async function endSwarm(town: Town, joint: ModeRecord, counts: TaskCounts): Promise<void> {
  const { done, failed } = counts;
  const now = town.clock();
  await keepState(town.store, joint, { ...swarmState(crewOf(joint.state), counts, []) }, toIso(now));
  const why = `${done} of ${done + failed} tasks done${failed === 0 ? '' : `, ${failed} failed`}`;
  if (failed > 0) return failSwarm(town, joint, why);
  await endJoint(town.store, joint, { kind: 'done', why }, now);
}

async function failSwarm(town: Town, joint: ModeRecord, why: string): Promise<void> {
  if ((await endJoint(town.store, joint, { kind: 'failed', why }, town.clock())) === null) return;
  await openEscalation(town, {
    escalation_id: `mode-${joint.run_id}`,
    kind: 'mode_failed',
    agent_id: joint.agent_id,
    bead_id: null,
    message: `swarm of ${joint.agent_id} ended: ${why}. gastown task list says which`,
  });
}
