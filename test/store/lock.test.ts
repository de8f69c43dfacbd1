import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { withLock } from '../../src/store/lock.ts';
import { lookAt, ownIdentity } from '../../src/store/process-identity.ts';
import { memoryScratch, program, scratch, start } from './scratch.ts';

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

describe('a lock', () => {
  test('is named for its holder while it is held, and gone afterwards', async () => {
    const path = join(scratch(), 'locks', 'a.lock');
    await withLock(path, () => expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ownIdentity()));
    expect(existsSync(path)).toBe(false);
  });

  test('is released when the work throws', async () => {
    const path = join(scratch(), 'a.lock');
    await expect(
      withLock(path, () => {
        throw new Error('thrown');
      }),
    ).rejects.toThrow('thrown');
    expect(existsSync(path)).toBe(false);
  });

  test('of a live process is waited for, then exit 3 names the holder', async () => {
    const path = join(scratch(), 'a.lock');
    const holder = start(await program('hold-lock'), path);
    await holder.said('held');
    const attempt = withLock(path, () => 'mine', { waitMs: 30 });
    await expect(attempt).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining(`process ${holder.child.pid}`),
    });
  });

  test('of a process killed while it held it is taken over at once', async () => {
    const path = join(scratch(), 'a.lock');
    const holder = start(await program('hold-lock'), path);
    await holder.said('held');
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(existsSync(path)).toBe(true);
    expect(await withLock(path, () => 'mine', { waitMs: 0 })).toBe('mine');
  });

  test('field report 23: a pid that belongs to another program now does not hold it', async () => {
    const path = join(scratch(), 'a.lock');
    writeFileSync(path, JSON.stringify({ pid: process.pid, pid_started: 'yesterday', hostname: hostname() }));
    expect(await withLock(path, () => 'mine', { waitMs: 0 })).toBe('mine');
  });

  test('of another machine is respected while it is fresh', async () => {
    const path = join(scratch(), 'a.lock');
    writeFileSync(path, JSON.stringify({ pid: 1, pid_started: 'x', hostname: 'elsewhere' }));
    await expect(withLock(path, () => 'mine', { waitMs: 5 })).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining('process 1 on elsewhere'),
    });
  });

  test('what killed processes leave in the folder of locks is swept by the next', async () => {
    const folder = scratch();
    const holder = start(await program('hold-lock'), join(folder, 'a.lock'));
    await holder.said('held');
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(readdirSync(folder)).toHaveLength(2);
    await start(await program('take-lock'), join(folder, 'a.lock'), join(folder, 'witness'), '1').ended;
    expect(readdirSync(folder)).toEqual([]);
  });

  test('its own file is made anew after somebody took it', async () => {
    const folder = scratch();
    await withLock(join(folder, 'a.lock'), () => {});
    for (const name of readdirSync(folder)) {
      unlinkSync(join(folder, name));
    }
    expect(await withLock(join(folder, 'a.lock'), () => 'mine')).toBe('mine');
  });
});

describe('recovery of a dead holder', () => {
  test('four recoverers at once, dead holders of the lock and of its recovery: never two of them in it together', async () => {
    const folder = memoryScratch();
    mkdirSync(join(folder, 'locks'));
    const taker = await program('take-lock');
    const dead = JSON.stringify({ pid: 2 ** 22 - 1, pid_started: 'long ago', hostname: hostname() });
    const path = join(folder, 'locks', 'a.lock');
    for (let round = 0; round < 4; round += 1) {
      writeFileSync(path, dead);
      writeFileSync(`${path}.recovery`, dead);
      const takers = Array.from({ length: 4 }, () => start(taker, path, join(folder, 'witness'), '25'));
      for (const one of await Promise.all(takers.map(({ ended }) => ended))) {
        expect(one).toMatchObject({ code: 0, stderr: '' });
      }
    }
    expect(readdirSync(join(folder, 'locks'))).toEqual([]);
  });
});

describe('who a process is', () => {
  test('this one is alive, a killed and unreaped one is gone, another machine is unknown', async () => {
    expect(lookAt(ownIdentity())).toBe('alive');
    expect(lookAt({ ...ownIdentity(), hostname: 'elsewhere' })).toBe('unknown');
    expect(lookAt({ ...ownIdentity(), pid: 2 ** 22 - 1 })).toBe('gone');
    expect(lookAt({ ...ownIdentity(), pid_started: 'x' })).toBe('gone');
  });
});
