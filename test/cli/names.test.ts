import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gastown, gt } from '../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
beforeAll(() => {
  town = scratchTown();
});
afterAll(() => town.stop());

const badNames = [
  '../x',
  'a/b',
  'Alpha',
  'a'.repeat(300),
  '__proto__',
  '',
  ' ',
  '.',
  'fix:12',
  'v1.2',
  'é',
  'a\nb',
  '$HOME',
  '%1',
];

const ofAgents: ((name: string) => string[])[] = [
  (name) => ['sling', 'a title', name],
  (name) => ['clear', name],
  (name) => ['nudge', name, 'hello'],
  (name) => ['restart', name],
  (name) => ['stop', name],
  (name) => ['start', name],
  (name) => ['peek', name],
  (name) => ['focus', name],
  (name) => ['interrupt', name],
  (name) => ['log', name],
  (name) => ['sim', name, 'stall'],
];
const ofBeads: ((name: string) => string[])[] = [
  (name) => ['bead', 'show', name],
  (name) => ['bead', 'close', name],
  (name) => ['bead', 'reopen', name],
  (name) => ['bead', 'add', 'a title', '--needs', name],
  (name) => ['bead', 'add', 'a title', '--id', name],
];

test.each(badNames)(
  'field report 11: the name %j is refused by every command, in one line, before anything is written',
  async (name) => {
    for (const words of [...ofAgents, ...ofBeads].map((command) => command(name))) {
      const { code, out, err } = await gastown(town, words);
      expect([words, code, out], err).toEqual([words, 1, '']);
      expect(err).toMatch(/^gastown: not a valid (agent|bead) name: [^\n]+\n$/);
      expect(err.length).toBeLessThan(250);
    }
    expect(existsSync(`${town.root}/.chipset`)).toBe(false);
  },
);

test.each(['../x', 'a/b', '__proto__', 'gt_1', 'gt-ABC', 'a'.repeat(300)])(
  'sling %j: neither a bead nor a title',
  async (work) => {
    const { code, err } = await gastown(town, ['sling', work, 'polecat-alpha']);
    expect(err).toMatch(/^gastown: neither a bead nor a title: [^\n]+\n$/);
    expect(code).toBe(1);
    expect(existsSync(`${town.root}/.chipset`)).toBe(false);
  },
);

test('an agent that does not exist is exit 1 and leaves no bead behind', async () => {
  const { code, err } = await gastown(town, ['sling', 'a title', 'polecat-zulu']);
  expect(err).toBe('gastown: no agent is called "polecat-zulu" here; agents: polecat-alpha, polecat-bravo\n');
  expect(code).toBe(1);
  expect(existsSync(`${town.root}/.chipset`)).toBe(false);
});

test.each(['../x', 'Alpha', '', 'polecat-zulu'])('gt with GT_AGENT_ID=%j is refused (exit 3)', async (name) => {
  for (const words of [['hook'], ['touch'], ['done'], ['note', 'x'], ['reply', 'x'], ['park']]) {
    const { code, err } = await gt(town, name, words);
    expect(err).toMatch(/^gt: [^\n]+\n$/);
    expect([words, code]).toEqual([words, 3]);
  }
  expect(existsSync(`${town.root}/.chipset`)).toBe(false);
});
