/** `gastown task`: the tasks of a swarm. */
import { resolve } from 'node:path';
import { priorities } from '../../domain/bead.ts';
import { parseTaskId, taskStatuses } from '../../domain/task.ts';
import { cleanLine, cleanText } from '../../domain/text.ts';
import { formatAge, parseTime } from '../../domain/time.ts';
import { importLimitBytes, readImport } from '../../town/import.ts';
import { addTasks, listTasks, newTask, requireTask, tasksIn } from '../../town/tasks/list.ts';
import { type TaskView, taskView } from '../../town/tasks/task-view.ts';
import { oneOf } from '../arguments.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function add(call: Call): Promise<undefined> {
  const priority = call.text('priority')?.toUpperCase();
  const wanted = newTask(
    call.rest.join(' '),
    call.text('description'),
    priority === undefined ? 'P2' : oneOf(priority, priorities, 'priority'),
  );
  const [task] = (await addTasks(await call.town(), [wanted])).map(taskView);
  print(call, task, () => (task === undefined ? [] : [`${task.task_id}  ${task.title}`]));
}

/** From a file, or from standard input for `-`. */
export async function importFile(call: Call): Promise<undefined> {
  const file = call.args[0] ?? '-';
  const text = file === '-' ? await call.io.stdin(importLimitBytes) : readImport(resolve(call.io.cwd, file));
  const tasks = tasksIn(text, file === '-' ? 'standard input' : file);
  const added = (await addTasks(await call.town(), tasks)).map(taskView);
  print(call, added, () => [...added.map((task) => `${task.task_id}  ${task.title}`), `${added.length} added`]);
}

export async function list(call: Call): Promise<undefined> {
  const status = call.text('status');
  const wanted = status === undefined ? null : oneOf(status, taskStatuses, 'status');
  const town = await call.town();
  const found = await listTasks(town);
  const tasks = found.tasks.filter((task) => wanted === null || task.status === wanted).map(taskView);
  print(call, { tasks, counts: found.counts }, () => [
    ...(tasks.length === 0
      ? ['no tasks']
      : columns(
          ['TASK', 'PRI', 'STATUS', 'HOLDER', 'LEASE', 'TITLE'],
          tasks.map((task) => [
            task.task_id,
            task.priority,
            task.status,
            task.status === 'pending' ? '-' : (task.holder ?? '-'),
            leaseText(task, town.clock()),
            task.title,
          ]),
        )),
    `${found.counts.pending} pending, ${found.counts.claimed} claimed, ${found.counts.done} done, ${found.counts.failed} failed`,
  ]);
}

const leaseText = ({ lease_until }: TaskView, now: number): string => {
  const until = parseTime(lease_until);
  return until === null ? '-' : `${Math.max(0, Math.round((until - now) / 1000))} s left`;
};

export async function show(call: Call): Promise<undefined> {
  const town = await call.town();
  const task = taskView(await requireTask(town, parseTaskId(call.args[0])));
  const ago = (iso: string | null): string => {
    const at = parseTime(iso);
    return at === null ? '' : `${formatAge(town.clock() - at)} ago`;
  };
  const maybe = (label: string, text: string | null): string[] =>
    text === null || text === '' ? [] : [`${label.padEnd(10)}${cleanLine(text)}`];
  print(call, task, () => [
    `${task.task_id}  ${cleanText(task.title)}`,
    `status    ${task.status}`,
    `priority  ${task.priority}`,
    ...maybe('holder', task.holder),
    ...(task.lease_until === null
      ? []
      : [`lease     claimed ${ago(task.claimed_at)}, ${leaseText(task, town.clock())}`]),
    ...(task.lapses === 0 ? [] : [`lapsed    ${task.lapses} times`]),
    ...(task.failures === 0 ? [] : [`failed    ${task.failures} times`]),
    ...maybe('error', task.error),
    ...maybe('result', task.result),
    ...(task.description === '' ? [] : ['', cleanText(task.description)]),
  ]);
}
