/** `kill -9` of any process at any moment (DESIGN section 9); `npm run bench -- kill` runs the thousand rounds of the bar. */
import { expect, test } from 'vitest';
import { killRounds } from '../support/kill-rounds.ts';

const rounds = Number(process.env['GASTOWN_KILL_ROUNDS'] ?? 30);

test('no work item is lost, and none is run again without a start on record', async () => {
  const told = await killRounds(rounds, Number(process.env['GASTOWN_SEED'] ?? 2_026));
  console.log(JSON.stringify({ bench: 'kill', rounds, ...told }));
  expect(told.faults).toEqual([]);
  expect(told.added).toBeGreaterThan(rounds / 30);
  expect(told.done).toBeGreaterThanOrEqual(told.added);
}, 3_600_000);
