/** Tasks of a swarm, one after the other: claimed, pretended to be worked on, kept alive, ended. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTime } from '../../domain/time.ts';
import { parseJson } from './parse-json.ts';
import type { TownCommand } from './town-command.ts';

export interface TaskPlace {
  gt: TownCommand;
  cwd: string;
  /** Milliseconds for one task. */
  workMs: number;
  pause(ms: number): Promise<void>;
  print(line: string): void;
  /** What it is at, for the status line. */
  at(task: string): void;
}

/** Until none is left for it. */
export async function workThroughTasks(place: TaskPlace): Promise<void> {
  for (;;) {
    const claimed = await place.gt.run('task', 'claim', '--json');
    const task = claimed.code === 0 ? claimedTask(parseJson(claimed.text)) : null;
    if (task === null) {
      place.print(claimed.text.split('\n')[0] ?? '');
      return;
    }
    place.at(task.id);
    place.print(`I do ${task.id}: ${task.title}`);
    if (!(await work(place, task))) continue;
    await writeFile(join(place.cwd, `${task.id}.md`), `# ${task.title}\n\nDone by a simulated agent.\n`);
    const done = await place.gt.run('task', 'done', task.id, task.token, 'pretended');
    place.print(done.code === 0 ? `${task.id} is done.` : `Cannot end ${task.id}: ${done.text}`);
  }
}

/** False where the task was lost meanwhile. */
async function work({ gt, workMs, pause, print }: TaskPlace, { id, token, leaseMs }: ClaimedTask): Promise<boolean> {
  const beatMs = Math.max(250, leaseMs / 3);
  for (let left = workMs; left > 0; left -= beatMs) {
    await pause(Math.min(left, beatMs));
    if (left <= beatMs) break;
    const beat = await gt.run('task', 'heartbeat', id, token);
    if (beat.code === 0) continue;
    print(`${id} is lost: ${beat.text}`);
    return false;
  }
  return true;
}

interface ClaimedTask {
  id: string;
  token: string;
  title: string;
  leaseMs: number;
}

function claimedTask(answer: unknown): ClaimedTask | null {
  if (answer === null || typeof answer !== 'object') return null;
  const { task_id, token, title, claimed_at, lease_until } = answer as Record<string, unknown>;
  if (typeof task_id !== 'string' || typeof token !== 'number') return null;
  const leaseMs = (parseTime(lease_until) ?? 0) - (parseTime(claimed_at) ?? 0);
  return { id: task_id, token: String(token), title: typeof title === 'string' ? title : '', leaseMs };
}
