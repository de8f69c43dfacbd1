/** The task store of a town, open for as long as one piece of work takes. */
import { standardLeaseMs, taskId } from '../../domain/task.ts';
import { openTasks, type TaskStore } from '../../store/tasks/tasks.ts';
import { scaled, type Town } from '../context.ts';
import { note } from '../note.ts';

type Place = Pick<Town, 'stateDir' | 'store' | 'clock' | 'env'>;

/** Null, with nothing made, where there is no list of tasks yet. */
export async function withTasks<T>(
  town: Place,
  work: (tasks: TaskStore) => T | Promise<T>,
  waitMs?: number,
): Promise<T | null> {
  const { stateDir, store } = town;
  const place = { stateDir, path: store.paths.swarmDb };
  const tasks = await openTasks(place, { make: false, ...(waitMs === undefined ? {} : { waitMs }) });
  return tasks === null ? null : used(town, tasks, work);
}

/** The list is made where there is none. */
export async function withNewTasks<T>(town: Place, work: (tasks: TaskStore) => T | Promise<T>): Promise<T> {
  const { stateDir, store } = town;
  const tasks = await openTasks({ stateDir, path: store.paths.swarmDb });
  if (tasks === null) throw new Error('a list that is made is never absent');
  return used(town, tasks, work);
}

async function used<T>(town: Place, tasks: TaskStore, work: (tasks: TaskStore) => T | Promise<T>): Promise<T> {
  try {
    return await work(tasks);
  } finally {
    tasks.close();
    for (const task of tasks.lapsed) {
      const end = task.status === 'failed' ? 'is failed for good' : 'is pending again';
      note(
        town,
        'task.lapsed',
        `${taskId(task)} ${end}: ${task.error ?? ''}`,
        task.holder === null ? {} : { agent_id: task.holder },
      );
    }
  }
}

/** Milliseconds of a lease: five minutes, or what the configuration says. */
export const leaseMs = (town: Pick<Town, 'config' | 'scale'>): number =>
  scaled(town, town.config.modes?.lease ?? standardLeaseMs / 1000);
