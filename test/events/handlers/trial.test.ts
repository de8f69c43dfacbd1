/** `gastown handlers test` (seed 004): each of the 31 by an event it answers and one it leaves alone, through the installed command. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handlerNames } from '../../../src/domain/handlers/names.ts';
import { samples } from '../../../src/domain/handlers/samples.ts';
import { openTown } from '../../../src/town/context.ts';
import { tryHandler } from '../../../src/town/handlers/trial.ts';
import { gastown } from '../../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

let town: ScratchTown;
beforeAll(() => {
  town = scratchTown();
});
afterAll(() => town.stop());

it('all of them work, and nothing is left behind', async () => {
  const ran = await gastown(town, ['handlers', 'test', '--json']);
  const trials = JSON.parse(ran.out) as { name: string; ok: boolean }[];
  expect(trials.filter(({ ok }) => !ok)).toEqual([]);
  expect(trials.map(({ name }) => name)).toEqual(handlerNames);
  expect(ran.code).toBe(0);
  expect(readdirSync(town.root)).not.toContain('.chipset');
}, 60_000);

it('says what was fired, what was answered and what was left alone', async () => {
  const ran = await gastown(town, ['handlers', 'test', 'recovery']);
  expect(ran.out).toContain('recovery: works');
  expect(ran.out).toMatch(/PostToolUseFailure Edit answered: .*Read the file again/);
  expect(ran.out).toContain('PostToolUse Edit left alone');
});

it('one that does not answer, and one that answers what it should leave alone, are told', async () => {
  const opened = await openTown({ cwd: town.root, env: town.env });
  const real = samples.recovery;
  const never = { ...real, answers: real.leaves };
  const always = { ...real, leaves: real.answers };
  for (const [sample, shown] of [
    [never, [false, false]],
    [always, [true, true]],
  ] as const) {
    const trial = await tryHandler(opened, 'recovery', sample);
    expect([trial.answers.shown !== null, trial.leaves.shown !== null]).toEqual(shown);
    expect(trial.ok).toBe(false);
  }
});

it('a name that is none is exit 1 with the nearest', async () => {
  const ran = await gastown(town, ['handlers', 'test', 'ralf']);
  expect(ran.code).toBe(1);
  expect(ran.err).toContain('ralph');
});
