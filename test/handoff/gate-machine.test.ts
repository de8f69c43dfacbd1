/** Cases about the machine around the gate: owners, mounts, full disks, vanished folders. They need processes. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Fixture, type Result, runProcess, usualHandoff } from './fixture.ts';
import { buildGateProgram, type GateProgram } from './gate-program.ts';
import { expectNoLeak } from './gate-table.ts';

// Generous: on a busy machine a case of many processes takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let program: GateProgram;
const made: Fixture[] = [];

beforeAll(async () => {
  program = await buildGateProgram();
  // A stranger has to be able to read it.
  chmodSync(join(program.path, '..'), 0o755);
});
afterAll(() => {
  program.remove();
  for (const fixture of made) fixture.remove();
});

function fresh(content = usualHandoff): Fixture {
  const fixture = new Fixture();
  made.push(fixture);
  fixture.arm(content);
  return fixture;
}

const env = (): Record<string, string> => ({ PATH: process.env['PATH'] ?? '' });
const words = (fixture: Fixture, form: Form): string[] =>
  form === 'node' ? [process.execPath, program.path] : [form, fixture.script];

type Form = 'node' | 'dash';
const formsHere: readonly Form[] = ['node', 'dash'];
const right = ['--cycle', '34'];

/** Runs `setup` and then the gate in one shell; "$@" is the gate's command line. */
const inShell = (fixture: Fixture, form: Form, setup: string, cwd = fixture.tree): Promise<Result> =>
  runProcess('sh', ['-c', setup, 'sh', ...words(fixture, form), ...right], { cwd, env: env() });

const isRoot = process.getuid?.() === 0;
const canMount = isRoot && tryMount();

function tryMount(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Commands for a mount namespace of its own: what they mount is gone with the process. */
const withMounts = (fixture: Fixture, form: Form, setup: string): Promise<Result> =>
  runProcess('unshare', ['-m', 'sh', '-c', setup, 'sh', ...words(fixture, form), ...right], {
    cwd: fixture.tree,
    env: env(),
  });

describe.concurrent('The gate: the machine around it', () => {
  for (const form of formsHere) {
    test(`A51 a working directory that was deleted [${form}]`, async () => {
      const fixture = fresh();
      const result = await inShell(fixture, form, 'mkdir gone && cd gone && rmdir ../gone && exec "$@"');
      expect(result.code).toBe(5);
      expect(readFileSync(fixture.hook, 'utf8')).toBe(usualHandoff);
    });

    test(`A70 umask 077: the archive can be read by all [${form}]`, async () => {
      const fixture = fresh();
      const result = await inShell(fixture, form, 'umask 077; exec "$@"');
      expect(result).toMatchObject({ code: 0, err: '' });
      expect(lstatSync(fixture.path('cycles', fixture.archives()[0] ?? '')).mode & 0o777).toBe(0o444);
    });

    test.skipIf(!isRoot)(`A64 cycles that cannot be written [${form}]`, async () => {
      const fixture = fresh();
      mkdirSync(fixture.path('cycles'));
      chmodSync(fixture.base, 0o755);
      chownSync(fixture.tree, 65_534, 65_534);
      chownSync(fixture.hook, 65_534, 65_534);
      const [command = '', ...args] = words(fixture, form);
      const options = { cwd: fixture.tree, env: env(), uid: 65_534 };
      const result = await runProcess(command, [...args, ...right], options);
      expect(result.code).toBe(8);
      expectNoLeak(result, Buffer.from(usualHandoff));
      expect(readdirSync(fixture.path('cycles'))).toEqual([]);
      expect(readFileSync(fixture.hook, 'utf8')).toBe(usualHandoff);
    });

    test.skipIf(!canMount)(`A59 a bind mount of the tree is the same tree [${form}]`, async () => {
      const fixture = fresh();
      mkdirSync(fixture.path('sub'));
      mkdirSync(join(fixture.base, 'bound'));
      const setup = 'mount --bind . ../bound && cd ../bound/sub && exec "$@"';
      expect(await withMounts(fixture, form, setup)).toMatchObject({ code: 0, err: '' });
      expect(fixture.archives()).toHaveLength(1);
      expect(fixture.leftovers()).toEqual([]);
    });

    test.skipIf(!canMount)(`A65 cycles on another device [${form}]`, async () => {
      const fixture = fresh();
      mkdirSync(fixture.path('cycles'));
      const setup = 'mount -t tmpfs none cycles && "$@" && cat cycles/cycle-*.md';
      const result = await withMounts(fixture, form, setup);
      expect(result).toMatchObject({ code: 0, err: '' });
      expect(result.out).toContain(usualHandoff);
      expect(fixture.leftovers()).toEqual([]);
    });

    test.skipIf(!canMount)(
      `A66 no space left: refused, the hook untouched, nothing left behind [${form}]`,
      async () => {
        const large = `${usualHandoff}${'x'.repeat(100_000)}\n`;
        const fixture = fresh(large);
        mkdirSync(fixture.path('cycles'));
        const setup = 'mount -t tmpfs -o size=4k none cycles; "$@"; code=$?; ls -A cycles; exit "$code"';
        const result = await withMounts(fixture, form, setup);
        expect(result.code).toBe(8);
        expect(result.out).toBe('');
        expectNoLeak(result, Buffer.from(large));
        expect(readFileSync(fixture.hook, 'utf8')).toBe(large);
        expect(fixture.leftovers()).toEqual([]);
      },
    );

    test.skipIf(!canMount)(`A66 a read-only tree: refused, the hook untouched [${form}]`, async () => {
      const fixture = fresh();
      const setup = 'mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" && exec "$@"';
      const result = await withMounts(fixture, form, setup);
      expect(result.code).toBe(8);
      expect(readdirSync(fixture.tree).sort()).toEqual(['.git', 'HOOK_NEXT_CYCLE.md', 'bin']);
    });
  }

  test.skipIf(!isRoot)('A35 mode 000, for somebody who is not root [node]', async () => {
    const fixture = fresh();
    chmodSync(fixture.hook, 0);
    chmodSync(fixture.base, 0o755);
    const options = { cwd: fixture.tree, env: env(), uid: 65_534 };
    const result = await runProcess(process.execPath, [program.path, ...right], options);
    expect(result.code).toBe(6);
    expectNoLeak(result, null);
  });

  test('A29 a FIFO and A34 20 GB answer like any other refusal: nothing is read [node]', async () => {
    const fifo = fresh();
    const sparse = fresh();
    execFileSync('rm', [fifo.hook]);
    execFileSync('mkfifo', [fifo.hook]);
    truncateSync(sparse.hook, 20 * 1024 ** 3);
    for (const fixture of [fifo, sparse]) {
      // Less memory than the file by far: reading it would end the process.
      const args = ['--max-old-space-size=64', program.path, ...right];
      const result = await runProcess(process.execPath, args, { cwd: fixture.tree, env: env() });
      expect(result.code).toBe(6);
    }
  });
});
