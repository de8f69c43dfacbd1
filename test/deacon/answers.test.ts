/** The human's answers to an escalation: reset, reassign, clarify, block, cancel (seed 001; issue 3, item 2). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newLadder } from '../../src/domain/ladder.ts';
import type { Escalation } from '../../src/domain/records.ts';
import { openTown, type Town } from '../../src/town/context.ts';
import { openEscalation } from '../../src/town/deacon/escalations.ts';
import { saveLadder } from '../../src/town/deacon/ledgers.ts';
import { gastown } from '../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let scratch: ScratchTown;
let town: Town;
let bead: string;
beforeEach(async () => {
  scratch = scratchTown();
  town = await openTown({ cwd: scratch.root, env: scratch.env });
  const slung = await say('sling', 'mend the gate', 'polecat-alpha', '--json');
  bead = (JSON.parse(slung) as { bead: { bead_id: string } }).bead.bead_id;
  await openEscalation(town, {
    escalation_id: `esc-${bead}-1`,
    kind: 'human_escalation',
    agent_id: 'polecat-alpha',
    bead_id: bead,
    message: `HUMAN_ESCALATION: ${bead} has stalled 3 times.`,
  });
});
afterEach(() => scratch.stop());

const ran = (...words: string[]) => gastown(scratch, words);
async function say(...words: string[]): Promise<string> {
  const { code, out, err } = await ran(...words);
  expect([code, err]).toEqual([0, '']);
  return out;
}
const answer = (...words: string[]) => ran('escalations', 'answer', `esc-${bead}-1`, ...words);
const isOpen = async (): Promise<boolean> =>
  (JSON.parse(await say('escalations', '--json')) as Escalation[]).some(({ escalation_id: id }) =>
    id.startsWith('esc-'),
  );
const statusOf = (id: string): string | null => {
  const read = town.store.beads.read(id);
  return read.kind === 'ok' ? read.value.status : null;
};

test('reset gives the bead its restarts again and leaves the work where it is', async () => {
  const at = Date.now();
  await saveLadder(town, null, {
    ...newLadder(bead, 'polecat-alpha', at),
    escalatedAt: at,
    restarts: [1, 2, 3].map((n) => ({ n, at, outcome: 'done', run: null })),
  });
  expect((await answer('reset')).out).toContain(`polecat-alpha and ${bead} are back to zero`);
  const ledger = town.store.ledgers.read(bead);
  expect(ledger.kind === 'ok' && ledger.value).toMatchObject({ restarts: [], escalated_at: null });
  expect(scratch.hook('polecat-alpha').work_item?.bead_id).toBe(bead);
  expect(await isOpen()).toBe(false);
});

test('reassign puts the work on another hook; nobody idle, or a taken hook, changes nothing', async () => {
  const nobody = await answer('reassign');
  expect([nobody.code, nobody.err]).toEqual([3, expect.stringContaining('no other agent is idle')]);
  expect((await answer('reassign', 'polecat-alpha')).code).toBe(1);
  expect(await isOpen()).toBe(true);
  expect(scratch.hook('polecat-alpha').work_item?.bead_id).toBe(bead);
  expect((await answer('reassign', 'polecat-bravo')).out).toBe(`${bead} is on the hook of polecat-bravo\n`);
  expect(scratch.hook('polecat-alpha').status).toBe('empty');
  expect(scratch.hook('polecat-bravo').work_item?.bead_id).toBe(bead);
  expect(await isOpen()).toBe(false);
  expect((await answer('block', 'late')).code).toBe(5);
});

test('clarify tells the agent, by the nudge file where its pane takes nothing', async () => {
  expect((await answer('clarify')).code).toBe(1);
  expect((await answer('clarify', 'use', 'the', 'red', 'door')).code).toBe(0);
  const file = town.store.nudge('polecat-alpha').read();
  expect(file.kind === 'ok' && file.value.message).toContain('use the red door');
  expect(await isOpen()).toBe(false);
});

test.each([
  ['block', 'blocked'],
  ['cancel', 'failed'],
])('%s takes the work off the hook with its reason, and reopen brings it back', async (word, status) => {
  expect((await answer(word)).code).toBe(1);
  expect((await answer(word, 'the', 'gate', 'is', 'sold')).code).toBe(0);
  expect(scratch.hook('polecat-alpha').status).toBe('empty');
  expect(statusOf(bead)).toBe(status);
  expect((await ran('sling', bead, 'polecat-bravo')).code).toBe(5);
  await say('bead', 'reopen', bead);
  expect(statusOf(bead)).toBe('open');
});

test('an answer or an escalation that does not exist is one line and changes nothing', async () => {
  expect(await answer('shrug')).toMatchObject({ code: 1, err: expect.stringContaining('reset, reassign, clarify') });
  expect((await ran('escalations', 'answer', 'none', 'reset')).code).toBe(3);
  expect(await isOpen()).toBe(true);
});
