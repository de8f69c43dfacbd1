/** The ladder on real agents in real panes, at shortened thresholds: every step is on disk and in the journal. */
import { afterEach, expect, test } from 'vitest';
import { type PatrolledTown, patrolledTown } from './patrolled-town.ts';

const oneSim = `agents:
  - {id: polecat-alpha, role: polecat, runtime: sim}
worktrees: false
gupp:
  thresholds: {stall_detection: 60, nudge_interval: 30, restart_threshold: 120}
`;
/** Real programs have to keep up: a recovery needs some `gt` calls within the threshold. */
const scale = 0.1;

let there: PatrolledTown | null = null;
afterEach(async () => {
  await there?.stop();
  there = null;
});

async function sling(at: PatrolledTown, behaviour: readonly string[] | null): Promise<string> {
  if (behaviour !== null) await at.scratch.run(['sim', 'polecat-alpha', ...behaviour]);
  const bead = await at.scratch.json<{ bead_id: string }>(['bead', 'add', 'mend the gate']);
  const slung = await at.scratch.run(['sling', bead.bead_id, 'polecat-alpha']);
  expect(slung.code, slung.err).toBe(0);
  return bead.bead_id;
}

test('stall → nudge delivered → recovery, each step in the journal with its reason (done when 1)', async () => {
  const at = await patrolledTown(scale, { config: oneSim });
  there = at;
  at.patrol();
  const bead = await sling(at, ['stall', '--count', '2']);
  await at.until('a nudge', () => at.journal('nudge')[0]);
  await at.until('completion', () => at.scratch.hook('polecat-alpha').status === 'completed', 60_000);
  await at.until('recovery', () => at.journal('recovered')[0]);
  expect(at.journal('nudge')[0]?.message).toMatch(
    new RegExp(`polecat-alpha has ${bead} on its hook and was silent for`),
  );
  expect(at.journal('delivery').some(({ message }) => /verified/.test(message))).toBe(true);
  expect(at.ledger(bead)?.restarts).toEqual([]);
  expect(at.ledger(bead)?.stalled_at).toBeNull();
  expect(at.journal('escalated')).toEqual([]);
}, 120_000);
