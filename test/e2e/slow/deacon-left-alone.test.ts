/** On real simulated agents: who asks, shows a dialog, is limited or paused is left alone; who crashes is started again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PatrolledTown, patrolledTown } from '../../deacon/patrolled-town.ts';

const names = ['asks', 'dialog', 'limit', 'paused'] as const;
const config = `agents:
${[...names, 'crash'].map((name) => `  - {id: polecat-${name}, role: polecat, runtime: sim}`).join('\n')}
worktrees: false
gupp:
  thresholds: {stall_detection: 60, nudge_interval: 30, restart_threshold: 120}
`;

let at: PatrolledTown;
beforeAll(async () => {
  at = await patrolledTown(0.05, { config });
  await at.scratch.run(['sim', 'polecat-dialog', 'dialog']);
  await at.scratch.run(['sim', 'polecat-limit', 'limit', '--seconds', '3000']);
  await at.scratch.run(['pause', 'polecat-paused', '--reason', 'lunch']);
  await at.scratch.run(['sim', 'polecat-paused', 'stall']);
}, 120_000);
afterAll(() => at.stop());

test('silence with an excuse: no nudge, no restart, no human escalation (issue items 3 and 5)', async () => {
  for (const name of names) {
    const bead = await at.scratch.json<{ bead_id: string }>(['bead', 'add', `work for ${name}`]);
    await at.scratch.run(['sling', bead.bead_id, `polecat-${name}`]);
    if (name === 'asks') await at.scratch.run(['sim', 'polecat-asks', 'ask']);
  }
  const deacon = at.patrol();
  const seen = at.town.clock();
  await at.until('the limit', () => deacon.lines.some((line) => /^polecat-limit: limited/.test(line)), 40_000);
  await at.until('the dialog', () => deacon.lines.some((line) => /^polecat-dialog: dialog/.test(line)), 40_000);
  await at.until('two restart thresholds', () => at.town.clock() - seen > 13_000, 40_000);
  const touched = [...at.journal('nudge'), ...at.journal('restart.requested')].map(({ agent_id }) => agent_id);
  expect(touched.filter((id) => id === 'polecat-paused' || id === 'polecat-limit' || id === 'polecat-dialog')).toEqual(
    [],
  );
  const human = at.town.store.escalations.list();
  expect(human.filter((id) => id.startsWith('esc-'))).toEqual([]);
  expect(human.filter((id) => id.startsWith('limit-'))).toHaveLength(1);
  expect(deacon.lines.some((line) => /^polecat-paused: paused · .* · paused: lunch/.test(line))).toBe(true);
  const restarted = at.journal('agent.restarted').map(({ agent_id }) => agent_id);
  expect(restarted).toEqual([]);
}, 120_000);

test('an agent that crashes with work is started again, with its reason, and finishes (field report 20)', async () => {
  const bead = await at.scratch.json<{ bead_id: string }>(['bead', 'add', 'work to crash over']);
  await at.scratch.run(['sling', bead.bead_id, 'polecat-crash']);
  await at.scratch.run(['sim', 'polecat-crash', 'crash']);
  const done = await at.until('the restart', () => at.journal('restart.done')[0], 60_000);
  expect(done).toMatchObject({ agent_id: 'polecat-crash', bead_id: bead.bead_id });
  expect(at.journal('restart.requested')[0]?.message).toMatch(/its program has ended \(exit 7\)/);
  await at.until('completion', () => at.scratch.hook('polecat-crash').status === 'completed', 60_000);
  expect(at.ledger(bead.bead_id)?.restarts).toHaveLength(1);
}, 150_000);
