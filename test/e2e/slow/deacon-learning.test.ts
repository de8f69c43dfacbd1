/** Metrics and learning by real keys in a real town: accepting edits gastown.yaml, and the deacon takes it up (issue 3, 6, 9, 10). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { until } from '../../support/private-tmux.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';
import { operatorOf } from '../support/operator.ts';

let town: ScratchTown | undefined;
afterEach(async () => {
  await town?.stop();
  town = undefined;
});

const config = `# the night shift
agents:
  - {id: polecat-alpha, role: polecat, runtime: sim} # the quick one
worktrees: false
`;

test('M shows what was measured, L what it suggests; a y writes it with all comments kept, and it is in force', async () => {
  const here = scratchTown({ config });
  town = here;
  const at = new Date(Date.now() - 60_000).toISOString();
  const common = { at, agent_id: 'polecat-alpha', runtime: 'sim', bead_id: 'gt-abc12' };
  const samples = [
    { ...common, metric: 'session', session: 's1' },
    ...[3, 9, 40].map((seconds) => ({ ...common, metric: 'response', seconds, session: 's1' })),
    ...Array.from({ length: 12 }, (_, n) => ({ ...common, metric: 'nudge', nudge_id: `n-${n}`, effective: n < 3 })),
    ...Array.from({ length: 4 }, () => ({ ...common, metric: 'stall' })),
  ];
  const store = openStore(here.stateDir);
  mkdirSync(dirname(store.paths.samples), { recursive: true, mode: 0o700 });
  writeFileSync(store.paths.samples, samples.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 });
  const up = await here.run(['up', '--detach'], { timeoutMs: 60_000 });
  expect(up, up.err).toMatchObject({ code: 0 });

  const operator = await operatorOf(here);
  await until(
    'the session',
    () => readFileSync(store.paths.samples, 'utf8').split('"metric":"session"').length > 2,
    15_000,
  );
  operator.press('M');
  await operator.shows(/polecat-alpha +sim +last +40\.0 s +n +3 +▂▃█/);
  await operator.shows(/sim +25 % +n 12/);
  // The running sim's own session counts too, once the deacon has seen it.
  await operator.shows(/sim +2\.00 +\(4 stalls, 2 sessions\)/);
  operator.press('L');
  await operator.shows(/open +sim stall_detection 300 → 375/);
  await operator.shows(/evidence +nudges 12, nudge_effective 0\.25, stalls_per_session 2/);
  operator.press('a');
  await operator.shows(/Accept sim stall_detection 300 → 375\?/);
  expect(readFileSync(join(here.root, 'gastown.yaml'), 'utf8')).toBe(config);
  operator.press('y');
  await operator.shows(/accepted +sim stall_detection 300 → 375/);
  const written = readFileSync(join(here.root, 'gastown.yaml'), 'utf8');
  expect(written.startsWith(config)).toBe(true);
  expect(written).toMatch(/stall_detection: 375/);

  const journal = (kind: string) => store.journal.tail(500).entries.filter((line) => line.kind === kind);
  await until('the deacon to take it up', () => journal('config.reloaded').length > 0, 15_000);
  expect(journal('learn.accepted')).toHaveLength(1);
  const record = store.town.read();
  const inForce = record.kind === 'ok' ? record.value.config : null;
  expect(inForce).toMatchObject({ gupp: { runtimes: { sim: { stall_detection: 375 } } } });
  expect(operator.screen()).not.toContain('takes effect after');

  // A wrong file is told once and changes nothing; mended, it is in force again.
  writeFileSync(join(here.root, 'gastown.yaml'), written.replace('375', 'soon'));
  await until('the refusal', () => journal('config.refused').length > 0, 15_000);
  expect(journal('config.refused')[0]?.message).toMatch(/the thresholds stay as they were/);
  writeFileSync(join(here.root, 'gastown.yaml'), written.replace('375', '600'));
  await until('the second change', () => journal('config.reloaded').length > 1, 15_000);
  expect((await here.run(['learn', '--all'])).out).toContain('(accepted): sim stall_detection 300 → 375');
});
