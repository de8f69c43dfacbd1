/** The deacon's answer to `status --json` is the status, or there is none (the bar of status, DESIGN section 9). */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Lease } from '../../src/domain/records.ts';
import type { TownStatus } from '../../src/domain/status.ts';
import { deaconSocket } from '../../src/store/deacon-socket.ts';
import { askStatus } from '../../src/town/deacon/ask-status.ts';
import { gastown } from '../support/in-process.ts';
import { until } from '../support/private-tmux.ts';
import { gastownProgram, type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
const ask = (more: Partial<Parameters<typeof askStatus>[0]> = {}) =>
  askStatus({ cwd: town.root, env: town.env, program: gastownProgram, ...more });
const lease = (): Lease => JSON.parse(readFileSync(join(town.stateDir, 'deacon/lease.json'), 'utf8')) as Lease;
/** What does not depend on the moment. */
const settled = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) =>
    /^(age_s|idle_s|tick_at|last_activity|evidence)$/.test(key) ? null : value,
  );

beforeAll(async () => {
  town = scratchTown();
  const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
  expect(up, up.err).toMatchObject({ code: 0 });
  await until('the deacon', async () => (await ask()) !== null, 20_000);
  await until(
    'both to be ready',
    async () => (await town.status()).agents.every(({ state }) => state === 'idle'),
    20_000,
  );
}, 90_000);
afterAll(() => town?.stop(), 60_000);

test('it says what looking for oneself says, and is what the program prints', async () => {
  const own = await gastown(town, ['status', '--json']);
  const told = await ask();
  expect(settled(told ?? 'null')).toEqual(settled(own.out));
  // Without tmux on its PATH the program can only have it from the deacon.
  const { out } = await town.run(['status', '--json'], { env: { PATH: '/nowhere' } });
  expect(settled(out)).toEqual(settled(own.out));
});

test('what has just been written is in it', async () => {
  const { bead_id: bead } = await town.json<{ bead_id: string }>(['bead', 'add', 'mend the gate']);
  const told = JSON.parse((await ask()) ?? 'null') as TownStatus;
  expect(told.work.open).toBe(1);
  await town.run(['bead', 'close', bead]);
  expect((JSON.parse((await ask()) ?? 'null') as TownStatus).work.open).toBe(0);
});

test("the asker's environment holds, not the deacon's", async () => {
  const env = { ...town.env, GT_STALL_THRESHOLD: '77' };
  const own = await gastown(town, ['status', '--json'], { env: { GT_STALL_THRESHOLD: '77' } });
  expect(settled((await ask({ env })) ?? 'null')).toEqual(settled(own.out));
});

test('another build is not answered, and neither is what is no question', async () => {
  expect(await ask({ program: join(town.folder, 'repo/gastown.yaml') })).toBeNull();
  expect(await ask({ env: { ...town.env, FILL: 'x'.repeat(1_100_000) } })).toBeNull();
  expect(await ask()).not.toBeNull();
});

test('a deacon that is stopped or killed: whoever asks looks for themselves', async () => {
  const { pid } = lease();
  process.kill(pid, 'SIGSTOP');
  try {
    expect((await town.status()).agents.length).toBe(2);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  process.kill(pid, 'SIGKILL');
  await until('its end', async () => !(await town.status()).deacon.running, 10_000);
  expect((await town.status()).town.server).toBe('ok');
  // The next one takes the place of the socket that was left behind.
  await town.run(['deacon', 'start']);
  await until('the next deacon', async () => (await ask()) !== null, 20_000);
});

test('what lies in the place of the socket costs the deacon nothing but the answers', async () => {
  await town.run(['deacon', 'stop']);
  const path = join(town.stateDir, 'deacon.sock');
  mkdirSync(path);
  const started = await town.run(['deacon', 'start']);
  expect(started, started.err).toMatchObject({ code: 0 });
  expect(await ask()).toBeNull();
  expect((await town.status()).deacon.running).toBe(true);
  rmSync(path, { recursive: true });
});

test('a cut-off answer, an empty one and silence are none', async () => {
  const stateDir = join(town.folder, 'other/.chipset/state');
  mkdirSync(stateDir, { recursive: true });
  const path = deaconSocket(stateDir) ?? '';
  for (const answer of ['100\n{"agents": [', '0\n', '', 'x\n{}', null]) {
    const server = createServer((socket) => {
      socket.resume();
      if (answer !== null) socket.end(answer);
    });
    await new Promise<void>((done) => server.listen(path, done));
    expect(await ask({ env: { ...town.env, GT_STATE_DIR: stateDir } }), String(answer)).toBeNull();
    await new Promise((done) => server.close(done));
    rmSync(path, { force: true });
  }
});

test('where the path is too long for a socket there is none', () => {
  expect(deaconSocket(`/${'x'.repeat(120)}`)).toBeNull();
});
