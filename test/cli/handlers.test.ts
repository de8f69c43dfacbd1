import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HandlerView } from '../../src/domain/handlers/view.ts';
import { gastown, gt } from '../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
beforeAll(() => {
  town = scratchTown();
});
afterAll(() => town.stop());

const say = async (...words: string[]): Promise<string> => {
  const { code, out, err } = await gastown(town, words);
  expect([code, err]).toEqual([0, '']);
  return out;
};
const listed = async (): Promise<HandlerView[]> => JSON.parse(await say('handlers', '--json')) as HandlerView[];

test('seed 004: all 31 handlers are listed, each with its effect; an unknown one is exit 1 with the nearest', async () => {
  const all = await listed();
  expect(all).toHaveLength(31);
  for (const { does, enabled, roles } of all) {
    expect(does).not.toBe('');
    expect(enabled).toBe(roles.length > 0);
  }
  expect(await say('handlers', 'explain', 'notepad')).toMatch(/^notepad \(/);
  const { code, err } = await gastown(town, ['handlers', 'explain', 'notepda']);
  expect([code, err]).toEqual([1, expect.stringContaining('notepad')]);
});

test('decision 18: a file of the town runs only once it is trusted, and a change of it ends that', async () => {
  const folder = join(town.root, '.chipset', 'handlers');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'greet.mjs');
  writeFileSync(file, 'export default { name: "greet", events: ["Stop"], handle: () => null };\n');
  const own = async () => (await listed()).find(({ group }) => group === 'own');
  expect(await own()).toMatchObject({ enabled: false });
  expect(await say('handlers', 'trust', 'greet.mjs')).toMatch(/^greet is trusted/);
  expect(await own()).toMatchObject({ name: 'greet', enabled: true, events: ['Stop'] });
  writeFileSync(file, 'export default { name: "greet", events: ["Stop"], handle: () => ({}) };\n');
  expect(await own()).toMatchObject({ enabled: false, does: expect.stringContaining('has changed') });
  await say('handlers', 'distrust', 'greet.mjs');
  expect((await gastown(town, ['handlers', 'distrust', 'greet.mjs'])).code).toBe(3);
  expect((await gastown(town, ['handlers', 'trust', '../greet.mjs/..'])).code).toBe(1);
});

test('an agent keeps notes of its own and drops only those', async () => {
  const note = (agent: string, ...words: string[]) => gt(town, agent, ['notepad', ...words]);
  expect((await note('polecat-alpha', 'the door is red', '--priority')).out).toBe('1! the door is red\n');
  expect((await note('polecat-bravo')).out).toBe('your notepad is empty\n');
  expect((await note('polecat-bravo', '--drop', '1')).code).toBe(3);
  expect((await note('polecat-alpha', '--drop', 'x')).code).toBe(1);
  expect((await note('polecat-alpha', '--drop', '1')).out).toBe('your notepad is empty\n');
});

test('a skill is written, listed and removed by the human', async () => {
  await say('skill', 'add', 'paint-doors', 'Sand first, then paint twice.', '--triggers', 'paint, door');
  expect(await say('skill')).toContain('paint-doors  Sand first');
  expect((await gastown(town, ['skill', 'add', 'paint-doors', 'again'])).code).toBe(3);
  await say('skill', 'remove', 'paint-doors');
  expect((await gastown(town, ['skill', 'remove', 'paint-doors'])).code).toBe(3);
  expect((await gastown(town, ['skill', 'accept', 'p-none', 'x'])).code).toBe(3);
});
