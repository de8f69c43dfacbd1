import { chmodSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAtLeast } from '../../src/town/doctor/check.ts';
import type { Check } from '../../src/town/doctor/doctor.ts';
import { gastown } from '../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
beforeEach(() => {
  town = scratchTown();
});
afterEach(() => town.stop());

async function examine(
  ...words: string[]
): Promise<{ code: number | null; find: (name: string) => Check | undefined; checks: Check[] }> {
  const { code, out, err } = await gastown(town, ['doctor', '--json', ...words]);
  expect(err).toBe('');
  const { checks } = JSON.parse(out) as { checks: Check[] };
  return { code, checks, find: (name) => checks.find((check) => check.name === name) };
}

test('a town in order: nothing failed, exit 0, nothing written', async () => {
  const { code, checks } = await examine();
  expect(checks.filter(({ result }) => result === 'fail')).toEqual([]);
  expect(code).toBe(0);
  expect(existsSync(join(town.root, '.chipset'))).toBe(false);
});

test('a missing or old tmux fails, and the line says what to do', async () => {
  town.program('tmux', '#!/bin/sh\necho "tmux 3.1c"\n');
  const old = await examine();
  expect(old.checks.find(({ group, name }) => group === 'tmux' && name === 'program')).toMatchObject({
    result: 'fail',
    text: 'tmux 3.1c is older than 3.2',
  });
  expect(old.code).toBe(3);
  const none = await gastown(town, ['doctor', '--json'], { env: { PATH: join(town.folder, 'home') } });
  expect(none.code).toBe(3);
  expect(none.out).toContain('tmux is not on PATH');
});

test('a wrong configuration is a finding, not an end of the examination', async () => {
  town.write('gastown.yaml', 'agnets: []');
  const { code, find } = await examine();
  expect(find('gastown.yaml')).toMatchObject({ result: 'fail', next: 'did you mean "agents"?' });
  expect(find('node')).toMatchObject({ result: 'ok' });
  expect(code).toBe(3);
});

test('a missing runtime, a corrupt record and a lock of git that was left behind fail', async () => {
  town.write('gastown.yaml', 'agents: [{runtime: claude}]');
  town.write('.chipset/state/hooks/polecat-alpha.json', '{');
  town.write('.git/index.lock', '');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(town.root, '.git/index.lock'), anHourAgo, anHourAgo);
  const { code, find } = await examine('--fix');
  expect(find('claude')).toMatchObject({ result: 'fail' });
  expect(find('records')).toMatchObject({ result: 'fail' });
  expect(find('locks')).toMatchObject({ result: 'fail' });
  expect(code).toBe(3);
  // Field report 55: whose lock it is, is for a human to say.
  expect(existsSync(join(town.root, '.git/index.lock'))).toBe(true);
  expect(town.read('.chipset/state/hooks/polecat-alpha.json')).toBe('{');
});

test('--fix mends what is safe: ignoring .chipset/, the mode of the state folder, old temporary files', async () => {
  writeFileSync(join(town.root, '.gitignore'), '');
  mkdirSync(join(town.stateDir, 'hooks'), { recursive: true });
  chmodSync(town.stateDir, 0o755);
  const left = join(town.stateDir, 'hooks', '.polecat-alpha.json.999999.abcdef012345.tmp');
  writeFileSync(left, '{');
  const anHourAgo = new Date(Date.now() - 3_600_000);
  utimesSync(left, anHourAgo, anHourAgo);
  const before = await examine();
  for (const name of ['ignored', 'folder', 'temporary files'])
    expect(before.find(name)).toMatchObject({ result: 'warn' });
  expect(existsSync(left)).toBe(true);
  const mended = await examine('--fix');
  for (const name of ['ignored', 'folder', 'temporary files']) {
    expect(mended.find(name)).toMatchObject({ result: 'ok', fixed: true });
  }
  expect(existsSync(left)).toBe(false);
  expect(town.read('.gitignore')).toBe('.chipset/\n');
  const after = await examine();
  for (const name of ['ignored', 'folder', 'temporary files']) expect(after.find(name)).toMatchObject({ result: 'ok' });
});

test('decision 19: doctor lists what lies outside the repository', async () => {
  const { find } = await examine();
  expect(find('outside the repository')?.text).toContain(join(town.folder, 'run'));
});

test.each([
  ['tmux 3.3a', '3.2', true],
  ['tmux 3.2', '3.2', true],
  ['tmux 3.10', '3.2', true],
  ['tmux 3.1c', '3.2', false],
  ['tmux next-3.6', '3.2', true],
  ['tmux master', '3.2', null],
  ['v20.19.0', '20.19', true],
  ['v20.9.0', '20.19', false],
])('version %s is at least %s: %s', (found, least, answer) => {
  expect(isAtLeast(found, least)).toBe(answer);
});
