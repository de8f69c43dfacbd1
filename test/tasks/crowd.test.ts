/** A short run of the bar of issue 6; its 2,000 tasks are in the slow suite. */
import { afterAll, expect, it } from 'vitest';
import { crowd } from './crowd.ts';
import { removePrograms } from './support.ts';

afterAll(removePrograms);

it('8 processes claim 300 tasks, each exactly once, with kill -9 of random holders', async () => {
  const { reclaimed } = await crowd({ tasks: 300, processes: 8, kills: 4, leaseMs: 700, workMs: 3 });
  expect(reclaimed).toBeGreaterThan(0);
}, 120_000);
