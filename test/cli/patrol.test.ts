import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('decision 11: pause opens a gate, resume closes it, for an agent and for the town', async () => {
  expect(await say('pause', 'polecat-alpha', '--reason', 'lunch')).toMatch(/^polecat-alpha is paused/);
  const paused = JSON.parse(await say('status', '--json')) as { agents: { agent_id: string; detail: string }[] };
  expect(paused.agents[0]?.agent_id).toBe('polecat-alpha');
  expect(JSON.parse(town.read('.chipset/state/gates/polecat-alpha.json'))).toMatchObject({
    kind: 'paused',
    reason: 'lunch',
  });
  expect(await say('resume', 'polecat-alpha')).toBe('polecat-alpha goes on\n');
  expect(await say('pause')).toMatch(/^town is paused/);
  expect(await say('resume')).toBe('town goes on\n');
});

test('mail goes from an agent to the operator and back, and is read once', async () => {
  expect((await gt(town, 'polecat-alpha', ['mail', 'send', 'operator', 'the', 'door', 'is', 'red'])).code).toBe(0);
  const [letter] = JSON.parse(await say('mail', '--json')) as { id: string; from: string; read: boolean }[];
  expect(letter).toMatchObject({ from: 'polecat-alpha', subject: 'the door is red', read: false });
  expect(await say('mail', 'read', letter?.id ?? '')).toContain('the door is red');
  expect(JSON.parse(await say('mail', '--unread', '--json'))).toEqual([]);
  await say('mail', 'send', 'polecat-alpha', 'paint', 'it');
  expect((await gt(town, 'polecat-alpha', ['mail'])).out).toContain('paint it');
  expect((await gastown(town, ['mail', 'send', 'nobody', 'x'])).code).toBe(1);
});

test('what has nothing to tell says so, exit 0', async () => {
  expect(await say('escalations')).toBe('nothing waits for a human\n');
  expect(await say('learn')).toBe('nothing to propose\n');
  expect(JSON.parse(await say('escalations', '--json'))).toEqual([]);
  expect(JSON.parse(await say('metrics', '--json'))).toMatchObject({ samples: 0 });
});

test('all four metrics announce their type, also without a sample', async () => {
  const text = await say('metrics', '--prometheus');
  expect(text.match(/^# TYPE (\w+) gauge$/gm)).toHaveLength(4);
});

test('an unknown escalation and a deacon of a town that is down are exit 3', async () => {
  expect((await gastown(town, ['escalations', 'ack', 'none'])).code).toBe(3);
  for (const words of [
    ['deacon', '--once'],
    ['deacon', 'start'],
    ['deacon', 'stop'],
  ]) {
    const { code, err } = await gastown(town, words);
    expect(err).toMatch(/^gastown: [^\n]+\n$/);
    expect([words, code]).toEqual([words, 3]);
  }
});

test('gt status shows an agent what the board shows of it', async () => {
  const { code, out } = await gt(town, 'polecat-alpha', ['status']);
  expect(code).toBe(0);
  expect(out).toMatch(/^the board shows polecat-alpha as stopped/);
});
