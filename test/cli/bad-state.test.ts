import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TownStatus } from '../../src/domain/status.ts';
import { gastown, gt } from '../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

const alpha = 'polecat-alpha';
let town: ScratchTown;
beforeEach(() => {
  town = scratchTown();
});
afterEach(() => town.stop());

const put = (path: string, text: string): void => {
  const file = join(town.stateDir, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const status = async (): Promise<TownStatus> =>
  JSON.parse((await gastown(town, ['status', '--json'])).out) as TownStatus;

const bad: [string, string][] = [
  ['corrupt', '{"agent_id": "polecat-alpha", "status": "acti'],
  ['empty', ''],
  ['NUL-filled', '\0'.repeat(300)],
  ['of another shape', '{"agent_id": "polecat-alpha", "status": "borrowed"}'],
  [
    'of another agent',
    '{"agent_id":"polecat-bravo","status":"empty","work_item":null,"last_activity":"2026-01-01T00:00:00Z"}',
  ],
  [
    'without a zone in its time',
    '{"agent_id":"polecat-alpha","status":"empty","work_item":null,"last_activity":"2026-01-01T00:00:00"}',
  ],
];

describe.each(bad)('a hook that is %s', (_what, text) => {
  test('is shown by status (exit 0), with its copy, and is never "empty"', async () => {
    put(`hooks/${alpha}.json`, text);
    const { agents } = await status();
    const hook = agents.find((agent) => agent.agent_id === alpha)?.hook;
    expect(hook).toMatchObject({ status: 'corrupt' });
    const copy = hook && 'quarantine' in hook ? String(hook.quarantine) : '';
    expect(readFileSync(copy, 'utf8')).toBe(text);
  });

  test('refuses work, is not cleared and not overwritten (exit 4), and its bead stays open', async () => {
    put(`hooks/${alpha}.json`, text);
    await gastown(town, ['bead', 'add', 'a', '--id', 'gt-a1']);
    for (const words of [
      ['sling', 'gt-a1', alpha],
      ['clear', alpha],
      ['clear', alpha, '--force', '--reason', 'r'],
    ]) {
      const { code, err } = await gastown(town, words);
      expect(err).toMatch(/^gastown: [^\n]+\n$/);
      expect([words, code]).toEqual([words, 4]);
    }
    expect(town.read(`.chipset/state/hooks/${alpha}.json`)).toBe(text);
    expect(JSON.parse((await gastown(town, ['bead', 'show', 'gt-a1', '--json'])).out)).toMatchObject({
      status: 'open',
      assignee: null,
    });
  });
});

test('sling without an agent passes a corrupt hook by', async () => {
  put(`hooks/${alpha}.json`, '{');
  const { code, out } = await gastown(town, ['sling', 'a title', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ agent_id: 'polecat-bravo' });
});

test('a busy agent is a conflict (exit 5): its hook is untouched, the bead open and unassigned', async () => {
  await gastown(town, ['sling', 'first', alpha]);
  const before = town.read(`.chipset/state/hooks/${alpha}.json`);
  await gastown(town, ['bead', 'add', 'second', '--id', 'gt-second']);
  const { code, err } = await gastown(town, ['sling', 'gt-second', alpha]);
  expect(err).toMatch(/^gastown: polecat-alpha already has a pending hook \([^\n]+\n$/);
  expect(code).toBe(5);
  expect(town.read(`.chipset/state/hooks/${alpha}.json`)).toBe(before);
  expect(JSON.parse((await gastown(town, ['bead', 'show', 'gt-second', '--json'])).out)).toMatchObject({
    status: 'open',
    assignee: null,
  });
});

test('no idle agent: exit 3, the bead stays open', async () => {
  for (const title of ['one', 'two']) expect((await gastown(town, ['sling', title])).code).toBe(0);
  const { code, err } = await gastown(town, ['sling', 'three words here']);
  expect(err).toMatch(/^gastown: no idle agent [^\n]+\n$/);
  expect(code).toBe(3);
  const open = JSON.parse((await gastown(town, ['bead', 'list', '--status', 'open', '--json'])).out) as unknown[];
  expect(open).toHaveLength(1);
});

test.each([
  ['agents/polecat-alpha.json', '{'],
  ['town.json', '{'],
  ['town.json', ''],
  ['deacon/lease.json', '\0\0'],
  ['sessions/s1.json', 'no'],
  ['gates/town.json', '{}'],
  ['events.jsonl', '{"torn'],
])('status prints its JSON and exits 0 beside a corrupt %s', async (path, text) => {
  put(path, text);
  const { code, out } = await gastown(town, ['status', '--json']);
  expect(code).toBe(0);
  expect((JSON.parse(out) as TownStatus).agents).toHaveLength(2);
  expect(readFileSync(join(town.stateDir, path), 'utf8')).toBe(text);
});

test('a folder where a record should be is unreadable (exit 4)', async () => {
  mkdirSync(join(town.stateDir, 'hooks', `${alpha}.json`), { recursive: true });
  const { code, err } = await gt(town, alpha, ['hook']);
  expect(err).toMatch(/^gt: [^\n]*unreadable[^\n]*\n$/);
  expect(code).toBe(4);
  expect((await gastown(town, ['status', '--json'])).code).toBe(0);
});

// Root reads and writes everything: there the case cannot be made.
test.runIf(process.getuid?.() !== 0)('needs a user other than root: a read-only state folder is exit 4', async () => {
  mkdirSync(join(town.stateDir, 'work'), { recursive: true });
  chmodSync(join(town.stateDir, 'work'), 0o500);
  const { code, err } = await gastown(town, ['bead', 'add', 'x']);
  expect(err).toMatch(/^gastown: cannot write [^\n]+\n$/);
  expect(code).toBe(4);
  chmodSync(join(town.stateDir, 'work'), 0o700);
});

test('a state folder that is a file is one line', async () => {
  town.write('.chipset/state', 'not a folder');
  const { code, err } = await gastown(town, ['bead', 'add', 'x']);
  expect(err).toMatch(/^gastown: [^\n]+\n$/);
  expect(err).not.toContain('internal error');
  expect(code).toBe(4);
});
