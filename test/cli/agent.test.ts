import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Bead } from '../../src/domain/bead.ts';
import type { Mail, Nudge, SessionRecord } from '../../src/domain/records.ts';
import { openStore } from '../../src/store/store.ts';
import { neverStarted } from '../../src/town/launch.ts';
import { gastown, gt } from '../support/in-process.ts';
import { type Ran, type ScratchTown, scratchTown } from '../support/town.ts';

const alpha = 'polecat-alpha';
let town: ScratchTown;
beforeEach(() => {
  town = scratchTown();
});
afterEach(() => town.stop());

const say = (...words: string[]): Promise<Ran> => gt(town, alpha, words);
const record = <T>(path: string): T => JSON.parse(town.read(`.chipset/state/${path}`)) as T;
const sling = async (title = 'Mend the roof'): Promise<string> => {
  const { code, out, err } = await gastown(town, ['sling', title, alpha, '--json']);
  expect([code, err]).toEqual([0, '']);
  return (JSON.parse(out) as { bead: Bead }).bead.bead_id;
};

test('seed 000: pending → active → completed by the agent alone, the bead beside it', async () => {
  const bead = await sling();
  expect(town.hook(alpha)).toMatchObject({ status: 'pending', work_item: { bead_id: bead, title: 'Mend the roof' } });
  expect((await say('hook', 'start')).code).toBe(0);
  expect(town.hook(alpha).status).toBe('active');
  expect(record<Bead>(`work/${bead}.json`).status).toBe('in_progress');
  expect((await say('done')).out).toContain(`${bead} is done, your hook is completed`);
  expect(town.hook(alpha)).toMatchObject({ status: 'completed', work_item: { bead_id: bead } });
  expect(record<Bead>(`work/${bead}.json`).status).toBe('done');
  expect((await gastown(town, ['clear', alpha])).code).toBe(0);
  expect(town.hook(alpha)).toMatchObject({ status: 'empty', work_item: null });
});

test('gt done needs an active hook: pending, completed and missing ones are exit 5, nothing changed', async () => {
  const done = async (state: string) => {
    const { code, err } = await say('done');
    expect(err).toMatch(new RegExp(`^gt: cannot complete the hook of ${alpha}: it is ${state}; [^\\n]+\\n$`));
    expect(code).toBe(5);
  };
  await done('missing');
  const bead = await sling();
  const before = town.read(`.chipset/state/hooks/${alpha}.json`);
  await done('pending');
  expect(town.read(`.chipset/state/hooks/${alpha}.json`)).toBe(before);
  expect(record<Bead>(`work/${bead}.json`).status).toBe('hooked');
  await say('hook', 'start');
  await say('done');
  await done('completed');
});

test('decision 9: failed work is failed, never done', async () => {
  const bead = await sling();
  await say('hook', 'start');
  expect((await say('done', '--failed', 'no\nladder')).code).toBe(0);
  expect(record<Bead>(`work/${bead}.json`)).toMatchObject({ status: 'failed', failure: 'no ladder' });
  expect(town.hook(alpha).status).toBe('completed');
});

test('gt done tells what is uncommitted and unpushed, and nothing of it is touched', async () => {
  await sling();
  await say('hook', 'start');
  town.write('new.txt', 'x');
  const { out } = await say('done', '--json');
  const { left } = JSON.parse(out) as { left: string[] };
  expect(left).toEqual([
    // gastown.yaml of the scratch town is the other one.
    `2 changed files are not committed in ${town.root}`,
    '1 commit is on main neither pushed nor merged',
  ]);
  expect(town.read('new.txt')).toBe('x');
});

test('seed 000, step 7: the completion report goes to the mayor', async () => {
  const bead = await sling();
  await say('hook', 'start');
  await say('done');
  const [file = ''] = readdirSync(join(town.stateDir, 'mail/mayor')).filter((name) => name.endsWith('.json'));
  expect(record<Mail>(`mail/mayor/${file}`)).toMatchObject({
    from: alpha,
    type: 'completion_report',
    subject: `DONE: ${bead} Mend the roof`,
  });
});

test('touch refreshes an active hook; on any other it does nothing, exit 0', async () => {
  expect(await say('touch')).toMatchObject({ code: 0, out: 'no active hook: nothing to touch\n' });
  await sling();
  const pending = town.read(`.chipset/state/hooks/${alpha}.json`);
  expect((await say('touch')).code).toBe(0);
  expect(town.read(`.chipset/state/hooks/${alpha}.json`)).toBe(pending);
  await say('hook', 'start');
  const before = town.hook(alpha).last_activity;
  expect((await say('touch')).out).toBe('touched\n');
  expect(town.hook(alpha).last_activity > before).toBe(true);
});

test('starting an active hook again does nothing; a completed one cannot be started', async () => {
  await sling();
  await say('hook', 'start');
  expect((await say('hook', 'start')).code).toBe(0);
  await say('done');
  expect((await say('hook', 'start')).code).toBe(5);
});

test('a corrupt hook is exit 4 for its agent: never "no work", never overwritten', async () => {
  await sling();
  const path = join(town.stateDir, 'hooks', `${alpha}.json`);
  writeFileSync(path, '{"agent_id": "polecat-al');
  for (const words of [['hook'], ['hook', 'start'], ['touch'], ['done']]) {
    const { code, err } = await say(...words);
    expect(err).toMatch(/^gt: [^\n]*corrupt[^\n]*\n$/);
    expect([words, code]).toEqual([words, 4]);
  }
  expect(town.read(`.chipset/state/hooks/${alpha}.json`)).toBe('{"agent_id": "polecat-al');
  const prime = await say('prime');
  expect(prime.code).toBe(0);
  expect(prime.out).toContain('That is not "no work"');
});

test('a run that was replaced cannot finish the work of its successor (exit 3)', async () => {
  await sling();
  const store = openStore(town.stateDir);
  const config = { agent_id: alpha, role: 'polecat', runtime: 'sim', permissions: 'default' } as const;
  await store.agents.update(alpha, () => ({
    ...neverStarted({ ...config, args: [], env: {} }),
    instance_id: 'new',
  }));
  const old = await gt(town, alpha, ['hook', 'start'], { env: { GT_INSTANCE_ID: 'old' } });
  expect([old.code, old.err]).toEqual([
    3,
    `gt: this run of ${alpha} is not the present one; stop here: nothing was changed\n`,
  ]);
  expect(town.hook(alpha).status).toBe('pending');
  expect((await gt(town, alpha, ['prime'], { env: { GT_INSTANCE_ID: 'new' } })).code).toBe(0);
  expect(record<{ primed_at: string | null }>(`agents/${alpha}.json`).primed_at).not.toBeNull();
});

test('gt prime names the bead and its own absolute path; outside a pane it prints nothing', async () => {
  const bead = await sling();
  const { code, out } = await say('prime');
  expect(code).toBe(0);
  expect(out).toContain(bead);
  expect(out).toContain(`${town.root}/.chipset/bin/gt`);
  expect(Buffer.byteLength(out)).toBeLessThan(6000);
  expect(await gastown(town, ['--as-agent', 'prime'])).toEqual({ code: 0, out: '', err: '' });
});

test('reply answers the latest nudge where the deacon looks for it (seed 001)', async () => {
  const nudge: Nudge = {
    nudge_id: 'n-1',
    from: 'deacon',
    type: 'stall_warning',
    message: 'are you there?',
    timestamp: '2026-01-01T00:00:00.000Z',
    requires_response: true,
    bead_id: 'gt-abc12',
  };
  await openStore(town.stateDir)
    .nudge(alpha)
    .update(() => nudge);
  expect((await say('reply', 'still', 'at it')).code).toBe(0);
  expect(record<Nudge>(`nudge/deacon/from/${alpha}.json`)).toMatchObject({
    type: 'nudge_response',
    message: 'still at it',
    in_reply_to: 'n-1',
    bead_id: 'gt-abc12',
  });
  expect((await say('reply', ' ')).code).toBe(1);
});

test('seed 003: park, ask, propose and idle are declared, and the next own call ends them where no event does', async () => {
  const declared = async (...words: string[]) => JSON.parse((await say(...words, '--json')).out) as SessionRecord;
  expect(await declared('ask', 'which', 'door?')).toMatchObject({ status: 'asking', note: 'which door?' });
  expect(await declared('propose', 'ready to merge')).toMatchObject({ status: 'awaiting', proposal: 'ready to merge' });
  expect(await declared('park', 'CI')).toMatchObject({ status: 'parked', note: 'CI' });
  expect(await declared('idle')).toMatchObject({ status: 'idle', note: null });
  expect((await say('ask')).code).toBe(1);
});

test('a note goes into the journal under the name of the agent', async () => {
  expect((await say('note', 'the door is red')).code).toBe(0);
  expect((await gastown(town, ['log', alpha])).out).toMatch(/agent\.note {2,}the door is red \(polecat-alpha\)\n$/);
});
