/** `gastown task …`: the operator's side of the list. */

import type { Priority } from '../../domain/bead.ts';
import { parseImport } from '../../domain/bead-import.ts';
import { usage } from '../../domain/errors.ts';
import { noCounts } from '../../domain/swarm.ts';
import { type NewTask, type Task, type TaskCounts, taskId } from '../../domain/task.ts';
import { textsOf } from '../beads.ts';
import type { Town } from '../context.ts';
import { jointRuns } from '../modes/records.ts';
import { note } from '../note.ts';
import { withNewTasks, withTasks } from './with-tasks.ts';

/** Where a swarm runs they are its own from the start. Throws exit 1 for a task without a title. */
export async function addTasks(town: Town, wanted: readonly NewTask[]): Promise<Task[]> {
  const [swarm] = jointRuns(town.store, 'swarm');
  const added = await withNewTasks(town, (tasks) => tasks.add(wanted, swarm?.run_id ?? null, town.clock()));
  const first = added[0];
  if (first !== undefined)
    note(town, 'task.added', `${added.length} tasks added, from ${taskId(first)} on: ${first.title}`);
  return added;
}

export const newTask = (title: string, description: string | undefined, priority: Priority): NewTask => ({
  ...textsOf({ title, description }),
  priority,
});

/** All of a file or nothing of it: JSON lines or a Markdown task list, as for beads. */
export function tasksIn(text: string, fileName: string): NewTask[] {
  return parseImport(text, fileName).map(({ line, title, description, priority, needs, bead_id }) => {
    if (bead_id !== undefined || needs.length > 0) {
      throw usage(
        `${fileName}:${line}: a task has neither bead_id nor needs`,
        'import it as beads: gastown bead import',
      );
    }
    return newTask(title, description, priority);
  });
}

export interface TaskList {
  tasks: Task[];
  counts: TaskCounts;
}

export const listTasks = async (town: Town): Promise<TaskList> =>
  (await withTasks(town, (tasks) => {
    const now = town.clock();
    return { tasks: tasks.list(null, now), counts: tasks.counts(null, now) };
  })) ?? { tasks: [], counts: noCounts };

/** Exit 1 where there is none. */
export async function requireTask(town: Town, seq: number): Promise<Task> {
  const found = await withTasks(town, (tasks) => tasks.get(seq, town.clock()));
  if (found === null) throw usage(`there is no task ${taskId({ seq })}`, 'see gastown task list');
  return found;
}
