import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gastown } from '../support/in-process.ts';
import { gastownProgram, type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
beforeAll(() => {
  town = scratchTown();
});
afterAll(() => town.stop());

describe('field report 53: without a terminal what draws says so in one line, exit 1, at once', () => {
  test.each([[[]], [['attach']], [['control']], [['up']], [['up', '--demo']]])('gastown %j', async (words) => {
    const ran = await town.run(words, { input: 'x\n', timeoutMs: 10_000 });
    expect(ran.err).toMatch(/^gastown: gastown[^\n]* needs a terminal; [^\n]+\n$/);
    expect([ran.code, ran.out]).toEqual([1, '']);
  });

  test.each([{ CI: 'true' }, { CI_FOO: '1' }, { TERM: 'dumb' }, { COLUMNS: '0' }, { NO_COLOR: '1' }])(
    'status prints plain text under %j',
    async (env) => {
      const ran = await town.run(['status'], { env });
      expect([ran.code, ran.err]).toEqual([0, '']);
      expect(ran.out).toContain('polecat-alpha');
      expect(ran.out).not.toContain('\u001b');
    },
  );

  test('a "dumb" terminal is told so as well', async () => {
    const ran = await gastown(town, [], { terminal: true, env: { TERM: 'dumb' } });
    expect([ran.code, ran.err]).toEqual([
      1,
      'gastown: gastown cannot draw on a "dumb" terminal; to look without one: gastown status\n',
    ]);
  });
});

test('colour only on a terminal', async () => {
  expect((await gastown(town, ['status'], { terminal: true })).out).toContain('\u001b[');
  expect((await gastown(town, ['status'])).out).not.toContain('\u001b');
});

test('a reader that goes away is no error', async () => {
  const line = JSON.stringify({ at: '2026-01-01T00:00:00Z', kind: 'k', by: 'operator', message: 'x'.repeat(500) });
  town.write('.chipset/state/events.jsonl', `${line}\n`.repeat(3000));
  const child = spawn(process.execPath, [gastownProgram, 'log', '-n', '3000'], {
    cwd: town.root,
    env: town.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, err]).toEqual([0, '']);
});

test('status --watch --json prints one line a change', async () => {
  const child = spawn(process.execPath, [gastownProgram, 'status', '--watch', '--json'], {
    cwd: town.root,
    env: town.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const first = await new Promise<string>((resolve) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('\n')) resolve(out.slice(0, out.indexOf('\n')));
    });
  });
  expect(JSON.parse(first)).toMatchObject({ town: { running: false } });
  child.kill('SIGTERM');
  await new Promise((resolve) => child.on('close', resolve));
});
