/** `gt task`: what an agent of a swarm calls. Every answer says what to call next. */
import { usage } from '../../domain/errors.ts';
import { parseTaskId, type Task, taskId } from '../../domain/task.ts';
import { cleanText } from '../../domain/text.ts';
import { claimTask, failTask, finishTask, ownTasks, releaseTask, renewTask } from '../../town/tasks/own.ts';
import { heldView, taskView } from '../../town/tasks/task-view.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function listOwn(call: Call): Promise<undefined> {
  const tasks = await ownTasks(await call.town());
  print(call, tasks.map(heldView), () =>
    tasks.length === 0
      ? ['you hold no task']
      : tasks.map((task) => `${taskId(task)} token ${task.token}  ${task.title}`),
  );
}

export async function claim(call: Call): Promise<undefined> {
  const [id] = call.args;
  const task = await claimTask(await call.town(), id === undefined ? null : parseTaskId(id));
  const seconds = Math.round(((task.lease_until ?? 0) - (task.claimed_at ?? 0)) / 1000);
  const handle = `${taskId(task)} ${task.token}`;
  print(call, heldView(task), () => [
    `${taskId(task)} is yours, token ${task.token}: ${cleanText(task.title)}`,
    ...(task.description === '' ? [] : [cleanText(task.description)]),
    `When it is done: gt task done ${handle} "what came of it". Where it cannot be: gt task fail ${handle} "why".`,
    `It is kept for you for ${seconds} s; before that ends, and again each time: gt task heartbeat ${handle}`,
  ]);
}

export async function heartbeat(call: Call): Promise<undefined> {
  const task = await renewTask(await call.town(), ...handleOf(call));
  print(call, heldView(task), () => [`${taskId(task)} stays yours`]);
}

export async function done(call: Call): Promise<undefined> {
  const task = await finishTask(await call.town(), ...handleOf(call), call.rest.join(' '));
  print(call, taskView(task), () => [`${taskId(task)} is done. The next: gt task claim`]);
}

export async function fail(call: Call): Promise<undefined> {
  const task = await failTask(await call.town(), ...handleOf(call), call.rest.join(' '));
  print(call, taskView(task), () => [lineOf(task)]);
}

export async function release(call: Call): Promise<undefined> {
  const task = await releaseTask(await call.town(), ...handleOf(call));
  print(call, taskView(task), () => [lineOf(task)]);
}

const lineOf = (task: Task): string =>
  task.status === 'pending'
    ? `${taskId(task)} is pending again: another may take it`
    : `${taskId(task)} is failed for good`;

function handleOf(call: Call): [seq: number, token: number] {
  const seq = parseTaskId(call.args[0]);
  const token = call.args[1] ?? '';
  if (!/^[1-9]\d{0,14}$/.test(token)) {
    throw usage(
      `not a token: ${JSON.stringify(token.slice(0, 40))}`,
      `the claim of ${taskId({ seq })} gave you a number; gt task shows it`,
    );
  }
  return [seq, Number(token)];
}
