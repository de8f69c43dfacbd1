/** Issue 6, bar: eight processes, two thousand tasks, each exactly once, with `kill -9` of random holders. */
import { afterAll, expect, it } from 'vitest';
import { crowd } from '../../tasks/crowd.ts';
import { removePrograms } from '../../tasks/support.ts';

afterAll(removePrograms);

it('8 processes claim 2,000 tasks, each exactly once, with kill -9 of random holders', async () => {
  const { reclaimed } = await crowd({ tasks: 2_000, processes: 8, kills: 12, leaseMs: 700, workMs: 3 });
  expect(reclaimed).toBeGreaterThan(0);
}, 120_000);
