/** The gate's figures of the specification in full: 1,000 rounds of eight callers, every kill of both shells, all of bash. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Crowd, holdRounds } from '../../handoff/gate-crowd.ts';
import { buildGateProgram, type GateProgram } from '../../handoff/gate-program.ts';
import { killShellAt } from '../../handoff/gate-shell-kill.ts';

// Each takes half a minute at most on two quiet cores; a busy machine may take its time.
const limitMs = 900_000;

let program: GateProgram;
beforeAll(async () => {
  program = await buildGateProgram();
});
afterAll(() => program.remove());

describe('The gate at length', () => {
  test(
    'A71 eight callers: one success, one archive, no leftovers, 1,000 rounds [node]',
    async () => {
      const crowd = await Crowd.of(program.path);
      try {
        // Ten trees of a hundred rounds: a folder with a thousand archives would measure the folder.
        for (let tree = 0; tree < 10; tree += 1) {
          await holdRounds(100, (fixture) => crowd.callAll(['--cycle', '34'], fixture.tree));
        }
      } finally {
        await crowd.end();
      }
    },
    limitMs,
  );

  for (const shell of ['dash', 'bash']) {
    test(
      `A72 kill -9 of the script after each of its programs [${shell}]`,
      async () => {
        let killed = 0;
        for (let at = 1; await killShellAt(shell, at); at += 1) killed += 1;
        expect(killed).toBeGreaterThan(30);
      },
      limitMs,
    );
  }

  test(
    'the whole table of cases in bash',
    () => {
      const args = ['vitest', 'run', '--config', '.config/vitest.config.ts', '--project', 'fast', 'test/handoff/gate-'];
      const env = { ...process.env, GASTOWN_GATE_SHELL: 'bash', GASTOWN_DIST_CHECKED: '1' };
      const ran = spawnSync('npx', args, { env, encoding: 'utf8' });
      expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    },
    limitMs,
  );
});
