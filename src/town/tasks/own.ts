/** `gt task …`: an agent's own words about tasks. Each shows that its shell works, and its swarm hears of it at once. */
import { conflict, GastownError, refused, usage } from '../../domain/errors.ts';
import { storedText } from '../../domain/prose.ts';
import { type Task, type TaskEvent, type TaskRefusal, taskId } from '../../domain/task.ts';
import type { TaskStore } from '../../store/tasks/tasks.ts';
import { callerOf } from '../agent/caller.ts';
import type { Town } from '../context.ts';
import { cancelledRuns } from '../modes/records.ts';
import { note } from '../note.ts';
import { afterTaskOf } from '../swarm/serve.ts';
import { leaseMs, withTasks } from './with-tasks.ts';

const noList = () =>
  refused('there are no tasks here', 'nothing was changed; the operator adds some: gastown task add "…"');

/** The next task by turn, or the one asked for. Exit 3 where none is pending, exit 5 where that one is not. */
export async function claimTask(town: Town, seq: number | null): Promise<Task> {
  return asAgent(town, async (tasks, agentId, instance_id) => {
    const cancelled = cancelledRuns(town.store).flatMap(({ run_id, mode }) => (mode === 'swarm' ? [run_id] : []));
    const now = town.clock();
    const claimer = { holder: agentId, instance_id, leaseMs: leaseMs(town), seq, cancelled };
    const changed = tasks.claim(claimer, now);
    if ('refused' in changed) {
      if (seq === null || changed.task?.status === 'pending') throw nothingLeft(tasks, now);
      throw explain(changed, seq, 0);
    }
    const { task } = changed;
    note(town, 'task.claimed', `${agentId} claimed ${taskId(task)}: ${task.title}`, { by: agentId, agent_id: agentId });
    return task;
  });
}

/** A sign of life: the lease begins anew. Exit 5 for a token that is not the present one, as in all that follow. */
export const renewTask = (town: Town, seq: number, token: number): Promise<Task> =>
  change(town, seq, { kind: 'renew', token, leaseMs: leaseMs(town) }, null);

export const finishTask = (town: Town, seq: number, token: number, result: string): Promise<Task> =>
  change(town, seq, { kind: 'finish', token, result: storedText(result) }, 'task.done');

/** Pending again, until it failed three times; then failed for good. */
export const failTask = (town: Town, seq: number, token: number, error: string): Promise<Task> => {
  if (error.trim() === '') throw usage('a failure says why', 'add it after the token');
  return change(town, seq, { kind: 'fail', token, error: storedText(error) }, 'task.failed');
};

export const releaseTask = (town: Town, seq: number, token: number): Promise<Task> =>
  change(town, seq, { kind: 'release', token }, 'task.released');

/** What the caller holds now, with the tokens. */
export const ownTasks = (town: Town): Promise<Task[]> =>
  asAgent(town, async (tasks, agentId) => tasks.held(town.clock()).filter(({ holder }) => holder === agentId));

function change(
  town: Town,
  seq: number,
  event: Exclude<TaskEvent, { kind: 'claim' | 'lapse' }>,
  kind: string | null,
): Promise<Task> {
  return asAgent(town, async (tasks, agentId) => {
    const changed = tasks.change(seq, event, town.clock());
    if ('refused' in changed) throw explain(changed, seq, event.token);
    const { task } = changed;
    const why = event.kind === 'fail' ? `: ${event.error}` : '';
    if (kind !== null)
      note(town, kind, `${agentId}: ${taskId(task)} is ${task.status}${why}`, { by: agentId, agent_id: agentId });
    return task;
  });
}

async function asAgent<T>(
  town: Town,
  work: (tasks: TaskStore, agentId: string, instanceId: string | null) => Promise<T>,
): Promise<T> {
  const { agent, record } = await callerOf(town);
  const id = agent.agent_id;
  town.store.heartbeat.touch(id, 'tool', 'gt-task');
  let none = true;
  const value = await withTasks(town, async (tasks) => {
    none = false;
    const answer = await work(tasks, id, town.env['GT_INSTANCE_ID'] || record?.instance_id || null);
    await tellSwarm(town, tasks, id);
    return answer;
  });
  if (none || value === null) throw noList();
  return value;
}

/** What was said of the task stands, whatever becomes of this: the deacon counts again in its next round. */
async function tellSwarm(town: Town, tasks: TaskStore, agentId: string): Promise<void> {
  try {
    await afterTaskOf(town, tasks, agentId);
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
    note(town, 'mode.trouble', `swarm of ${agentId}: ${error.message}`, { agent_id: agentId });
  }
}

function nothingLeft(tasks: TaskStore, now: number) {
  const { claimed } = tasks.counts(null, now);
  const next = claimed === 0 ? 'all are over: end your turn' : 'end your turn; you are told when one is free again';
  return refused(`no task is pending; ${claimed} in other hands`, next);
}

function explain(
  { refused: why, task }: { refused: TaskRefusal | 'absent'; task: Task | null },
  seq: number,
  token: number,
) {
  const id = taskId({ seq });
  if (task === null) return usage(`there is no task ${id}`, 'see gastown task list');
  const now = 'nothing was changed; leave it';
  if (task.status === 'done' || task.status === 'failed') return conflict(`${id} is ${task.status} already`, now);
  if (why === 'not_pending')
    return conflict(`${id} is held by ${task.holder ?? 'somebody'}`, 'claim another: gt task claim');
  if (why === 'other_token')
    return conflict(`${id} is held under another token than ${token}, by ${task.holder ?? 'somebody'}`, now);
  return conflict(
    `nobody holds ${id} any more: its lease ran out`,
    `nothing was changed; to go on with it: gt task claim ${id}`,
  );
}
