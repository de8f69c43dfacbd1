/** The task store of a town, open for as long as one piece of work takes. */
import { standardLeaseMs } from '../../domain/task.ts';
import { openTasks, type TaskStore } from '../../store/tasks/tasks.ts';
import { scaled, type Town } from '../context.ts';

type Place = Pick<Town, 'stateDir' | 'store'>;

/** Null, with nothing made, where there is no list of tasks yet. */
export async function withTasks<T>(
  { stateDir, store }: Place,
  work: (tasks: TaskStore) => T | Promise<T>,
  waitMs?: number,
): Promise<T | null> {
  const place = { stateDir, path: store.paths.swarmDb };
  const tasks = await openTasks(place, { make: false, ...(waitMs === undefined ? {} : { waitMs }) });
  return tasks === null ? null : used(tasks, work);
}

/** The list is made where there is none. */
export async function withNewTasks<T>(
  { stateDir, store }: Place,
  work: (tasks: TaskStore) => T | Promise<T>,
): Promise<T> {
  const tasks = await openTasks({ stateDir, path: store.paths.swarmDb });
  if (tasks === null) throw new Error('a list that is made is never absent');
  return used(tasks, work);
}

async function used<T>(tasks: TaskStore, work: (tasks: TaskStore) => T | Promise<T>): Promise<T> {
  try {
    return await work(tasks);
  } finally {
    tasks.close();
  }
}

/** Milliseconds of a lease: five minutes, or what the configuration says. */
export const leaseMs = (town: Pick<Town, 'config' | 'scale'>): number =>
  scaled(town, town.config.modes?.lease ?? standardLeaseMs / 1000);
