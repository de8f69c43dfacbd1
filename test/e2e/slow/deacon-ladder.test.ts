/** The whole ladder on a real agent that never recovers, at shortened thresholds, to the human and no further. */
import { afterEach, expect, test } from 'vitest';
import { type PatrolledTown, patrolledTown } from '../../deacon/patrolled-town.ts';

const oneSim = `agents:
  - {id: polecat-alpha, role: polecat, runtime: sim}
worktrees: false
gupp:
  thresholds: {stall_detection: 60, nudge_interval: 30, restart_threshold: 120}
`;
/** A stall needs no `gt` calls, so the times may be very short. */
const scale = 0.025;

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

test('never recovering → nudges, witness, 3 restarts, one escalation, and nothing more (done when 1)', async () => {
  const at = await patrolledTown(scale, { config: oneSim });
  there = at;
  at.patrol();
  const bead = await sling(at, ['stall']);
  const escalated = await at.until('the escalation', () => at.journal('escalated')[0], 55_000);
  expect(escalated.message).toBe(
    `HUMAN_ESCALATION: ${bead} has stalled 3 times. Automated recovery exhausted. Requires human intervention.`,
  );
  expect(at.journal('restart.done').map(({ message }) => message.slice(0, 14))).toEqual([
    'restart 1 of 3',
    'restart 2 of 3',
    'restart 3 of 3',
  ]);
  const mail = (await at.scratch.json<unknown>(['status'])) as { mail: { unread: number } };
  expect(mail.mail.unread).toBeGreaterThan(3);
  const nudges = at.journal('nudge').length;
  const seen = at.town.clock();
  // Nothing more, although three thresholds go by.
  await at.until('time', () => at.town.clock() - seen > 5_000);
  expect(at.journal('nudge').length).toBe(nudges);
  expect(at.journal('restart.done').length).toBe(3);
  expect(at.journal('escalated').length).toBe(1);
  expect(at.town.store.escalations.list()).toEqual([`esc-${bead}-1`]);
  expect(at.scratch.hook('polecat-alpha').work_item?.bead_id).toBe(bead);
  const row = (await at.scratch.status()).agents[0];
  expect(row?.state).toBe('escalated');
}, 120_000);
