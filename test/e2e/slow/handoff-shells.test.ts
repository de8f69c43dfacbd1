/** Eight shells at once at the gate, a hundred rounds in each: a script is a hundred processes a round and more. */
import { describe, test } from 'vitest';
import { holdRounds, shellCrowd } from '../../handoff/gate-crowd.ts';

describe('The gate at length, in shells', () => {
  for (const shell of ['dash', 'bash']) {
    test(`A71 eight callers, 100 rounds [${shell}]`, () => holdRounds(100, shellCrowd(shell)), 1_800_000);
  }
});
