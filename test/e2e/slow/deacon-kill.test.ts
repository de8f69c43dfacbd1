/** `kill -9` of the deacon at every step of the ladder: the ladder goes on from the ledger (issue, done when 3). */
import { afterEach, expect, test } from 'vitest';
import { type DeaconProcess, spawnDeacon } from '../../deacon/deacon-process.ts';
import { type PatrolledTown, patrolledTown } from '../../deacon/patrolled-town.ts';

const config = `agents:
  - {id: polecat-alpha, role: polecat, runtime: sim}
worktrees: false
gupp:
  thresholds: {stall_detection: 60, nudge_interval: 30, restart_threshold: 120}
`;

/** Journal lines that tell of a step being done or just done; at each of them the deacon is killed, twice over. */
const steps = [
  'nudge',
  'delivery',
  'stalled.alert',
  'restart.requested',
  'agent.restarted',
  'restart.done',
  'escalated',
];

let at: PatrolledTown | null = null;
let deacon: DeaconProcess | null = null;
afterEach(async () => {
  deacon?.child.kill('SIGKILL');
  await at?.stop();
});

test('three restarts and one escalation, whenever the deacon dies', async () => {
  const there = await patrolledTown(0.05, { config });
  at = there;
  await there.scratch.run(['sim', 'polecat-alpha', 'stall']);
  const { bead_id } = await there.scratch.json<{ bead_id: string }>(['bead', 'add', 'mend the gate']);
  expect((await there.scratch.run(['sling', bead_id, 'polecat-alpha'])).code).toBe(0);
  const killedAt = new Map<string, number>();
  const seen = new Map<string, number>();
  deacon = spawnDeacon(there.scratch);
  const killAtSteps = async (): Promise<void> => {
    for (const step of steps) {
      const count = there.journal(step).length;
      if (count <= (seen.get(step) ?? 0)) continue;
      seen.set(step, count);
      if ((killedAt.get(step) ?? 0) >= 2) continue;
      killedAt.set(step, (killedAt.get(step) ?? 0) + 1);
      deacon?.child.kill('SIGKILL');
      await deacon?.ended;
      deacon = spawnDeacon(there.scratch);
      return;
    }
  };
  for (const deadline = performance.now() + 240_000; performance.now() < deadline; ) {
    await killAtSteps();
    if (there.journal('escalated').length > 0) break;
    await new Promise((done) => setTimeout(done, 10));
  }
  await killAtSteps();
  // Long enough for a fourth restart or a second escalation, if there were one.
  const seenAt = there.town.clock();
  await there.until('time', () => there.town.clock() - seenAt > 15_000);

  for (const step of steps) expect(killedAt.get(step) ?? 0, step).toBeGreaterThan(0);
  expect(there.journal('agent.restarted')).toHaveLength(3);
  expect(there.ledger(bead_id)?.restarts.map(({ n, outcome }) => `${n} ${outcome}`)).toEqual([
    '1 done',
    '2 done',
    '3 done',
  ]);
  expect(there.town.store.escalations.list()).toEqual([`esc-${bead_id}-1`]);
  expect(there.journal('escalated')).toHaveLength(1);
  expect(there.scratch.hook('polecat-alpha')).toMatchObject({ work_item: { bead_id } });
});
