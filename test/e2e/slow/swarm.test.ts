/** A swarm of five simulated agents in real panes, through three kills (issue 6, done when 3). */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import type { ModeRecord } from '../../../src/domain/mode/record.ts';
import { openStore } from '../../../src/store/store.ts';
import { allModes, isJoint } from '../../../src/town/modes/records.ts';
import type { TaskList } from '../../../src/town/tasks/list.ts';
import { gastown } from '../../support/in-process.ts';
import { until } from '../../support/private-tmux.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

let town: ScratchTown;
afterEach(() => town.stop());

const tasksNow = async (): Promise<TaskList> => JSON.parse((await gastown(town, ['task', 'list', '--json'])).out);

it('finishes 50 tasks through three kills: the deacon restarts the agents, their leases come free', async () => {
  town = scratchTown({
    config:
      'agents:\n  - {name: polecat, runtime: sim, count: 5, args: [--work-ms, "15000"]}\nworktrees: false\nmodes: {lease: 200}\n',
    env: { GASTOWN_TIME_SCALE: '0.02' },
  });
  const store = openStore(town.stateDir);
  const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
  expect(up, up.err).toMatchObject({ code: 0 });
  const list = Array.from({ length: 50 }, (_, at) => `- [ ] part ${at + 1}`).join('\n');
  expect((await gastown(town, ['task', 'import', '-'], { input: list })).code).toBe(0);
  const started = await gastown(town, ['mode', 'start', 'swarm', 'polecat-alpha', 'all parts', '--workers', '5']);
  expect(started, started.err).toMatchObject({ code: 0 });
  const joint = (): ModeRecord | undefined =>
    allModes(store).flatMap(({ read }) => (read.kind === 'ok' && isJoint(read.value) ? [read.value] : []))[0];
  const journal = (): Record<string, string>[] =>
    readFileSync(store.paths.journal, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);

  const holders = async (): Promise<{ task_id: string; holder: string }[]> =>
    JSON.parse((await gastown(town, ['task', 'list', '--status', 'claimed', '--json'])).out).tasks;
  /** Stops an agent's program in the middle of a task that it holds. */
  const catchOne = (but: readonly string[]) =>
    until(
      'an agent in the middle of a task',
      async () => {
        for (const { holder, task_id } of await holders()) {
          const pid = but.includes(holder) ? null : programOf(holder);
          if (pid === null) continue;
          process.kill(pid, 'SIGSTOP');
          // A word that it has begun to say is still said.
          await until('its words to be said', () => childrenOf(pid).length === 0);
          if ((await holders()).some((one) => one.task_id === task_id && one.holder === holder)) return { holder, pid };
          process.kill(pid, 'SIGCONT');
        }
        return null;
      },
      30_000,
    );

  const killed: string[] = [];
  for (const mark of [5, 15, 25]) {
    await until(`${mark} tasks done`, async () => (await tasksNow()).counts.done >= mark, 60_000);
    const { holder, pid } = await catchOne(killed);
    killed.push(holder);
    process.kill(pid, 'SIGKILL');
  }
  // One that is stopped does not come back: nothing but its lease frees what it held.
  await until('30 tasks done', async () => (await tasksNow()).counts.done >= 30, 60_000);
  const last = await catchOne(killed);
  await town.run(['stop', last.holder]);

  const ended = await until('the end of the swarm', () => joint()?.ended, 60_000);
  expect(ended).toMatchObject({ kind: 'done', why: '50 of 50 tasks done' });
  expect((await tasksNow()).counts).toEqual({ pending: 0, claimed: 0, done: 50, failed: 0 });
  const of = (wanted: string) => journal().filter(({ kind }) => kind === wanted);
  const done = of('task.done').map(({ message }) => message?.split(' ')[1]);
  expect([done.length, new Set(done).size]).toEqual([50, 50]);
  const lapsed = of('task.lapsed').map(({ message }) => message ?? '');
  for (const agent of killed)
    expect(
      lapsed.filter((message) => message.includes(agent)),
      agent,
    ).toHaveLength(1);
  for (const agent of killed)
    expect(of('start.done').filter(({ agent_id }) => agent_id === agent).length, agent).toBe(1);
  expect(lapsed).toContainEqual(expect.stringContaining(`the lease of ${last.holder} ran out`));
  expect(new Set(of('task.done').map(({ agent_id }) => agent_id)).size).toBe(5);
  // No member's run goes on, and nothing is typed any more.
  await until('the members’ runs to end', () =>
    allModes(store).every(({ read }) => read.kind === 'ok' && !read.value.active),
  );
}, 120_000);

/** The simulated agent itself, below the runner of its pane; null while there is none. */
function programOf(agentId: string): number | null {
  const read = openStore(town.stateDir).agents.read(agentId);
  const runner = read.kind === 'ok' ? read.value.pid : null;
  return runner === null ? null : (childrenOf(runner)[0] ?? null);
}

/** Those that still run: a stopped parent leaves its ended ones lying. */
function childrenOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,stat=', '--ppid', String(pid)], { encoding: 'utf8' });
  return [...stdout.matchAll(/^\s*(\d+)\s+[^Z\s]/gm)].map(([, child]) => Number(child));
}
