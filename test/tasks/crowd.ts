/** Eight processes on one list of tasks, killed at random moments; what came of it is read from their logs and the store. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { statePaths } from '../../src/store/paths.ts';
import { openTasks } from '../../src/store/tasks/tasks.ts';
import { scratch, start } from '../store/scratch.ts';
import { taskProgram } from './support.ts';

export interface CrowdWish {
  tasks: number;
  processes: number;
  kills: number;
  leaseMs: number;
  workMs: number;
}

/** Every task is done exactly once, no token is given twice, and no accepted end comes from any but the latest claim. */
export async function crowd({ tasks, processes, kills, leaseMs, workMs }: CrowdWish): Promise<{ reclaimed: number }> {
  const stateDir = scratch('crowd');
  const place = { stateDir, path: statePaths(stateDir).swarmDb };
  const store = await openTasks(place);
  if (store === null) throw new Error('not made');
  const titles = Array.from({ length: tasks }, (_, at) => ({
    title: `task ${at}`,
    description: '',
    priority: 'P2' as const,
  }));
  store.add(titles, null, Date.now());
  const file = await taskProgram('claim-tasks');
  const logs: string[] = [];
  const begin = (slot: number) => {
    const log = join(stateDir, `log-${logs.length}.txt`);
    logs.push(log);
    return start(file, stateDir, `agent-${slot}`, String(leaseMs), String(workMs), log);
  };
  const running = Array.from({ length: processes }, (_, slot) => begin(slot));
  const isOver = () => {
    const { pending, claimed } = store.counts(null, Date.now());
    return pending + claimed === 0;
  };
  let killed = 0;
  for (const gap = tasks / (kills + 1); killed < kills && !isOver(); ) {
    const { done } = store.counts(null, Date.now());
    if (done < gap * (killed + 1)) {
      await new Promise((resolve) => setTimeout(resolve, 3));
      continue;
    }
    const slot = Math.floor(Math.random() * processes);
    const victim = running[slot];
    victim?.child.kill('SIGKILL');
    await victim?.ended;
    running[slot] = begin(slot);
    killed += 1;
  }
  const ends = await Promise.all(running.map(({ ended }) => ended));
  expect(killed).toBe(kills);
  for (const { code, stderr } of ends) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const lines = logs.flatMap((log) => readLines(log));
  const claims = lines.filter(({ what }) => what === 'claimed');
  expect(new Set(claims.map(({ token }) => token)).size).toBe(claims.length);
  const done = lines.filter(({ what }) => what === 'done');
  expect(new Set(done.map(({ seq }) => seq)).size).toBe(done.length);
  const all = store.list(null, Date.now());
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: tasks }, () => 'done'));
  // One that was killed between the end and its line has none; nobody else may have its task.
  expect(done.length).toBeGreaterThanOrEqual(tasks - kills);
  for (const { seq, token } of done) expect(all[seq - 1]?.token).toBe(token);
  store.close();
  return { reclaimed: all.reduce((sum, { lapses }) => sum + lapses, 0) };
}

function readLines(log: string): { what: string; seq: number; token: number }[] {
  let text = '';
  try {
    text = readFileSync(log, 'utf8');
  } catch {
    // Killed before its first claim.
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [what = '', seq, token] = line.split(' ');
      return { what, seq: Number(seq), token: Number(token) };
    });
}
