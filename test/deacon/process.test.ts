/** The deacon as a process: one of it, its end, a single patrol, and what it never signals. */
import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { processStart } from '../../src/store/process-identity.ts';
import { deaconStatus } from '../../src/town/deacon/control.ts';
import { spawnDeacon } from './deacon-process.ts';
import { type PatrolledTown, patrolledTown } from './patrolled-town.ts';

let at: PatrolledTown;
beforeAll(async () => {
  const config = 'agents:\n  - {id: polecat-alpha, role: polecat, runtime: sim}\nworktrees: false\n';
  at = await patrolledTown(0.1, { config });
}, 90_000);
afterAll(() => at.stop());

test('two started at once leave one, the other exits 5; stop ends that one and the agents go on (field report 23)', async () => {
  const both = [spawnDeacon(at.scratch), spawnDeacon(at.scratch)];
  const first = await Promise.race(both.map(async (one) => ({ one, code: await one.ended })));
  expect(first.code).toBe(5);
  expect(first.one.said()).toMatch(/a deacon runs already \(process \d+/);
  const left = both.find((one) => one !== first.one);
  await at.until('the lease', () => deaconStatus(at.town).pid === left?.child.pid);
  const once = await at.scratch.run(['deacon', '--once']);
  expect(once.code).toBe(5);
  const stopped = await at.scratch.run(['deacon', 'stop']);
  expect(stopped.out).toMatch(/the deacon has ended/);
  expect(await left?.ended).toBe(0);
  expect(at.town.store.lease.read().kind).toBe('absent');
  expect((await at.scratch.run(['deacon', 'stop'])).code).toBe(3);
  expect((await at.scratch.status()).agents[0]?.pid).toBeTypeOf('number');
}, 90_000);

test('started by command it comes back also where its window was closed', async () => {
  const started = await at.scratch.run(['deacon', 'start']);
  expect(started, started.err).toMatchObject({ code: 0 });
  const windows = await at.town.tmux.run(['list-windows', '-t', '=town', '-F', '#{window_name} #{window_active}']);
  expect(windows).toMatchObject({ kind: 'ok', lines: expect.arrayContaining(['deacon 0']) });
  expect((await at.scratch.run(['deacon', 'stop'])).code).toBe(0);
}, 60_000);

test('a lease that names a recycled pid is taken over, and stop signals nobody (field report 23)', async () => {
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    await new Promise((done) => stranger.once('spawn', done));
    const old = '2020-01-01T00:00:00.000Z';
    const lease = { pid: stranger.pid ?? 0, pid_started: 'x', hostname: hostname(), taken_at: old, tick_at: old };
    await at.town.store.lease.update(() => lease);
    expect((await at.scratch.run(['deacon', 'stop'])).code).toBe(3);
    const once = await at.scratch.run(['deacon', '--once']);
    expect(once.code, once.err).toBe(0);
    expect(once.out).toMatch(/polecat-alpha: idle/);
    expect(processStart(stranger.pid ?? 0)).not.toBe('gone');
    expect(at.town.store.lease.read().kind).toBe('absent');
  } finally {
    stranger.kill('SIGKILL');
  }
}, 60_000);

test('the emergency stop holds the agent’s own processes and not its runner; thaw lets them go on (issue item 8)', async () => {
  const states = async (): Promise<string[]> => {
    const { readFileSync, readdirSync } = await import('node:fs');
    const record = at.town.store.agents.read('polecat-alpha');
    const root = record.kind === 'ok' ? record.value.pid : null;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
          const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          if (Number(name) === root) return [`runner ${state}`];
          return Number(ppid) === root ? [`agent ${state}`] : [];
        } catch {
          return [];
        }
      });
  };
  expect((await at.scratch.run(['estop', 'fire'])).out).toMatch(/1 agents stand still/);
  expect(await states()).toContain('agent T');
  expect((await states()).find((text) => text.startsWith('runner'))).not.toBe('runner T');
  expect((await at.scratch.status()).agents[0]?.state).toBe('paused');
  expect((await at.scratch.run(['resume'])).code).toBe(5);
  expect((await at.scratch.run(['thaw'])).code).toBe(0);
  expect(await states()).not.toContain('agent T');
  expect((await at.scratch.status()).agents[0]?.state).not.toBe('paused');
}, 60_000);
