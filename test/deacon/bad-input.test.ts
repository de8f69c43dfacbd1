/** Broken times, ledgers and mail before a real deacon (issue 3, bad input): nobody is touched over them, no byte is overwritten. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PatrolledTown, patrolledTown } from './patrolled-town.ts';

const day = 86_400_000;
const old = new Date(Date.now() - day).toISOString();
const brokenTimes: Record<string, unknown> = {
  missing: undefined,
  number: 1_796_000_000,
  zoneless: '2026-01-01T00:00:00',
  words: 'yesterday',
  list: [old],
};
const futureTime = new Date(Date.now() + day).toISOString();
const names = [...Object.keys(brokenTimes), 'assigned', 'future', 'ledger'];

let at: PatrolledTown;
const fileOf = (path: string): string => join(at.scratch.stateDir, path);
const hookOf = (name: string): string => fileOf(`hooks/polecat-${name}.json`);
const hookText = (name: string, fields: Record<string, unknown>): string =>
  `${JSON.stringify({
    agent_id: `polecat-${name}`,
    status: 'active',
    work_item: { bead_id: `gt-${name}`, title: 'mend the gate', assigned_at: old },
    last_activity: old,
    ...fields,
  })}\n`;

// A sim that sees work on its hook would mend the file by doing it.
const held = ['future', 'ledger'];

beforeAll(async () => {
  at = await patrolledTown(0.05, {
    config: `agents:
${names.map((name) => `  - {id: polecat-${name}, role: polecat, runtime: sim}`).join('\n')}
worktrees: false
gupp:
  thresholds: {stall_detection: 60, nudge_interval: 30, restart_threshold: 120}
`,
  });
  for (const name of held) await at.scratch.run(['sim', `polecat-${name}`, 'stall']);
  for (const name of names) {
    const bead = { bead_id: `gt-${name}`, title: 'mend the gate', description: '', status: 'in_progress' };
    mkdirSync(dirname(fileOf(`work/gt-${name}.json`)), { recursive: true });
    writeFileSync(
      fileOf(`work/gt-${name}.json`),
      JSON.stringify({ ...bead, priority: 'P2', assignee: `polecat-${name}`, needs: [], created_at: old }),
    );
  }
  mkdirSync(dirname(hookOf('missing')), { recursive: true });
  for (const [name, last_activity] of Object.entries(brokenTimes)) {
    writeFileSync(hookOf(name), hookText(name, { last_activity }));
  }
  writeFileSync(
    hookOf('assigned'),
    hookText('assigned', { work_item: { bead_id: 'gt-assigned', title: 'x', assigned_at: 7 } }),
  );
  writeFileSync(hookOf('future'), hookText('future', { last_activity: futureTime }));
  writeFileSync(hookOf('ledger'), hookText('ledger', {}));
  mkdirSync(fileOf('deacon/beads'), { recursive: true });
  writeFileSync(fileOf('deacon/beads/gt-ledger.json'), '{"bead_id": "gt-ledger", "restarts": 2');
}, 60_000);
afterAll(() => at.stop());

describe('a patrol over broken files', () => {
  test('touches nobody whose times or ledger cannot be read, tells each once, and changes no byte', async () => {
    const before = new Map(names.map((name) => [name, readFileSync(hookOf(name), 'utf8')]));
    const said: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const once = await at.scratch.run(['deacon', '--once'], { timeoutMs: 30_000 });
      expect(once.code, once.err).toBe(0);
      said.push(once.out);
    }
    for (const name of [...Object.keys(brokenTimes), 'assigned']) {
      expect(said[0], name).toMatch(new RegExp(`polecat-${name}: unknown .*hook`));
      expect(
        at.journal('notice.hook-unreadable').filter(({ agent_id }) => agent_id === `polecat-${name}`),
      ).toHaveLength(1);
      expect(readFileSync(hookOf(name), 'utf8')).toBe(before.get(name));
    }
    expect(said[0]).toMatch(/polecat-ledger: unknown .*ledger/);
    expect(at.journal('notice.ledger-unreadable')).toHaveLength(1);
    expect(readFileSync(fileOf('deacon/beads/gt-ledger.json'), 'utf8')).toBe('{"bead_id": "gt-ledger", "restarts": 2');
    expect(at.journal('notice.future-time').map(({ agent_id }) => agent_id)).toEqual(['polecat-future']);
    const touched = [...at.journal('nudge'), ...at.journal('restart.requested'), ...at.journal('escalated')];
    expect(touched.filter(({ agent_id }) => agent_id !== 'polecat-future')).toEqual([]);
  }, 60_000);
});

describe('mail by the commands', () => {
  test.each([
    ['to nobody', ['polecat-zulu', 'x'], /nobody here is called "polecat-zulu"/],
    ['out of its folder', ['../hooks', 'x'], /nobody here/],
    ['without a word', ['mayor', ' \u001b\u0007 '], /needs words/],
    ['of more than 64 KiB', ['mayor', 'x'.repeat(70_000)], /at most 64 KiB/],
  ])('%s: exit 1, one line, nothing written', async (_what, words, message) => {
    const count = async () => (await at.scratch.json<unknown[]>(['mail'])).length;
    const before = await count();
    const sent = await at.scratch.run(['mail', 'send', ...words]);
    expect(sent.code).toBe(1);
    expect(sent.err).toMatch(message);
    expect(sent.err.trim().split('\n')).toHaveLength(1);
    expect(await count()).toBe(before);
  });

  test('control characters are gone, and a file of 10 MB in a mailbox is told and left alone', async () => {
    await at.scratch.run(['mail', 'send', 'polecat-future', 'red \u001b[31m alert\u0007\u202e']);
    const folder = fileOf('mail/polecat-future');
    const huge = join(folder, '20260101T000000000Z-deacon-abcdabcd.json');
    writeFileSync(join(folder, 'not a.message\u0007.json'), '{}');
    mkdirSync(fileOf('mail/mayor'), { recursive: true });
    writeFileSync(fileOf('mail/mayor/of.another.json'), '{}');
    writeFileSync(huge, JSON.stringify({ body: 'x'.repeat(10_000_000) }));
    const listed = await at.scratch.run(['mail', 'polecat-future']);
    expect(listed.code, listed.err).toBe(0);
    expect(listed.out).toMatch(/red \[31m alert/);
    expect(listed.out + listed.err).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(listed.err.match(/cannot be read/g)).toHaveLength(2);
    expect((await at.scratch.run(['status', '--json'])).code).toBe(0);
    expect((await at.scratch.run(['deacon', '--once'])).code).toBe(0);
    expect(readFileSync(huge).length).toBeGreaterThan(10_000_000);
  });
});
