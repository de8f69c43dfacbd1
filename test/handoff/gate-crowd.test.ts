import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Crowd, holdRounds, shellCrowd } from './gate-crowd.ts';
import { buildGateProgram, type GateProgram } from './gate-program.ts';
import { killShellAt } from './gate-shell-kill.ts';

// Generous: on a busy machine a case of many processes takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let program: GateProgram;
beforeAll(async () => {
  program = await buildGateProgram();
});
afterAll(() => program.remove());

describe('The gate: many callers, and a killed script', () => {
  test('A71 eight callers: one success, one archive, no leftovers, 30 rounds [node]', async () => {
    const crowd = await Crowd.of(program.path);
    try {
      await holdRounds(30, (fixture) => crowd.callAll(['--cycle', '34'], fixture.tree));
    } finally {
      await crowd.end();
    }
  });

  test('A71 eight callers: one success, one archive, no leftovers, 3 rounds [dash]', () =>
    holdRounds(3, shellCrowd('dash')));

  test('A72 kill -9 of the script after its programs, every seventh of them [dash]', async () => {
    let killed = 0;
    for (let at = 1; await killShellAt('dash', at); at += 7) killed += 1;
    expect(killed).toBeGreaterThan(3);
  });
});
