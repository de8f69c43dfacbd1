/** `gastown task` and `gt task` as they are called: words, exit codes, what is printed. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HeldView, TaskView } from '../../src/town/tasks/task-view.ts';
import { gastown, gt } from '../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

const alpha = 'polecat-alpha';
const bravo = 'polecat-bravo';
let town: ScratchTown;
beforeEach(() => {
  town = scratchTown({ git: false });
});
afterEach(() => town.stop());

const add = (...words: string[]) => gastown(town, ['task', 'add', ...words]);
const claim = async (agent: string, ...words: string[]): Promise<HeldView> => {
  const ran = await gt(town, agent, ['task', 'claim', ...words, '--json']);
  expect(ran.err).toBe('');
  return JSON.parse(ran.out) as HeldView;
};
const list = async (): Promise<{ tasks: TaskView[]; counts: Record<string, number> }> =>
  JSON.parse((await gastown(town, ['task', 'list', '--json'])).out);
const config = (text: string): void =>
  town.write('gastown.yaml', `agents:\n  - {name: polecat, runtime: sim, count: 2}\n${text}`);

describe('the operator', () => {
  it('adds, lists, shows and imports; the order is by number, not by letters', async () => {
    expect(await add('Mend', 'the', 'roof', '-p', 'p1', '-d', 'all of it')).toEqual({
      code: 0,
      out: 't-1  Mend the roof\n',
      err: '',
    });
    const many = Array.from({ length: 11 }, (_, at) => `- [ ] part ${at}`).join('\n');
    const imported = await gastown(town, ['task', 'import', '-'], { input: many });
    expect(imported.out).toMatch(/t-2 {2}part 0\n(.+\n)*t-12 {2}part 10\n11 added\n$/);
    const { tasks, counts } = await list();
    expect(tasks.map(({ task_id }) => task_id)).toEqual(Array.from({ length: 12 }, (_, at) => `t-${at + 1}`));
    expect(counts).toEqual({ pending: 12, claimed: 0, done: 0, failed: 0 });
    expect(Object.hasOwn(tasks[0] ?? {}, 'token')).toBe(false);
    expect((await gastown(town, ['task', 'show', 't-1'])).out).toContain('all of it');
    expect((await gastown(town, ['task', 'list'])).out).toContain('12 pending, 0 claimed');
  });

  it.each([
    [['task', 'add', ' '], 1],
    [['task', 'show', 't-99'], 1],
    [['task', 'show', '../../etc'], 1],
    [['task', 'list', '--status', 'lost'], 1],
    [['task', 'import', 'no-such-file'], 1],
  ])('%j is one line, exit %i', async (words, exit) => {
    await add('one');
    const { code, err } = await gastown(town, words);
    expect(code).toBe(exit);
    expect(err).toMatch(/^gastown: [^\n]+\n$/);
  });

  it('a list with needs is refused whole: a swarm knows no order but priority', async () => {
    const { code, err } = await gastown(town, ['task', 'import', '-'], {
      input: '{"title": "a"}\n{"title": "b", "needs": ["gt-a1"]}\n',
    });
    expect([code, err]).toEqual([1, expect.stringContaining('gastown bead import')]);
    expect((await list()).tasks).toEqual([]);
  });
});

describe('an agent', () => {
  it('claims, says that it lives, ends; each answer tells what to call next', async () => {
    await add('Mend the roof');
    const said = await gt(town, alpha, ['task', 'claim']);
    expect(said.out).toContain('t-1 is yours, token 1: Mend the roof');
    expect(said.out).toContain('gt task done t-1 1');
    expect(said.out).toContain('300 s');
    expect((await gt(town, alpha, ['task', 'heartbeat', 't-1', '1'])).code).toBe(0);
    expect((await gt(town, alpha, ['task'])).out).toBe('t-1 token 1  Mend the roof\n');
    expect((await gt(town, alpha, ['task', 'done', 't-1', '1', 'it', 'holds'])).out).toContain(
      'The next: gt task claim',
    );
    expect((await list()).tasks).toMatchObject([{ status: 'done', result: 'it holds', holder: alpha }]);
    const none = await gt(town, alpha, ['task', 'claim']);
    expect([none.code, none.err]).toEqual([
      3,
      'gt: no task is pending; 0 in other hands; all are over: end your turn\n',
    ]);
  });

  it('the more urgent first, then the older, and what one gave back comes last', async () => {
    for (const words of [['a'], ['b'], ['c', '-p', 'P1']]) await add(...words);
    const first = await claim(alpha);
    expect(first.title).toBe('c');
    const second = await claim(alpha);
    expect(second.title).toBe('a');
    expect((await gt(town, alpha, ['task', 'release', second.task_id, String(second.token)])).out).toContain(
      'pending again',
    );
    expect((await claim(alpha)).title).toBe('b');
    expect((await claim(bravo)).title).toBe('a');
  });

  it('a token of before is refused (exit 5), whoever shows it, and nothing changes', async () => {
    await add('one');
    const first = await claim(alpha);
    await gt(town, alpha, ['task', 'release', 't-1', String(first.token)]);
    const second = await claim(bravo);
    expect(second.token).toBeGreaterThan(first.token);
    for (const words of [
      ['task', 'done', 't-1', String(first.token)],
      ['task', 'heartbeat', 't-1', String(first.token)],
      ['task', 'fail', 't-1', String(first.token), 'why'],
      ['task', 'release', 't-1', String(first.token)],
    ]) {
      const { code, err } = await gt(town, alpha, words);
      expect([words, code]).toEqual([words, 5]);
      expect(err).toContain(bravo);
    }
    expect((await list()).tasks).toMatchObject([{ status: 'claimed', holder: bravo }]);
    expect((await gt(town, bravo, ['task', 'done', 't-1', String(second.token)])).code).toBe(0);
    expect((await gt(town, bravo, ['task', 'done', 't-1', String(second.token)])).err).toContain('t-1 is done already');
  });

  it('a lease that ran out is noticed by whoever looks, and its holder is told how to go on', async () => {
    config('modes: {lease: 1}\n');
    await add('one');
    const env = { GASTOWN_TIME_SCALE: '0.05' };
    const held = JSON.parse((await gt(town, alpha, ['task', 'claim', '--json'], { env })).out) as HeldView;
    expect(Date.parse(held.lease_until ?? '') - Date.parse(held.claimed_at ?? '')).toBe(50);
    await new Promise((done) => setTimeout(done, 60));
    expect((await list()).counts).toMatchObject({ pending: 1, claimed: 0 });
    const late = await gt(town, alpha, ['task', 'done', held.task_id, String(held.token)]);
    expect([late.code, late.err]).toEqual([5, expect.stringContaining('gt task claim t-1')]);
    expect((await claim(alpha, 't-1')).token).toBeGreaterThan(held.token);
    expect((await list()).tasks[0]).toMatchObject({ lapses: 1 });
  });

  it('fails with its reason: pending again twice, the third time for good', async () => {
    await add('one');
    for (const [at, said] of ['pending again', 'pending again', 'failed for good'].entries()) {
      const { token } = await claim(alpha);
      expect((await gt(town, alpha, ['task', 'fail', 't-1', String(token), `attempt ${at}`])).out).toContain(said);
    }
    expect((await list()).tasks).toMatchObject([{ status: 'failed', failures: 3, error: 'attempt 2' }]);
    expect((await gt(town, alpha, ['task', 'claim', 't-1'])).code).toBe(5);
  });

  it.each([
    [['task', 'done', 't-1'], 1],
    [['task', 'done', 't-1', 'soon'], 1],
    [['task', 'done', 't-7', '1'], 1],
    [['task', 'fail', 't-1', '1', ' '], 1],
  ])('%j is one line, exit %i', async (words, exit) => {
    await add('one');
    const { code, err } = await gt(town, alpha, words);
    expect([code, err.split('\n').length]).toEqual([exit, 2]);
  });

  it('outside a pane, and where there is no list, it is told so (exit 3)', async () => {
    expect((await gastown(town, ['--as-agent', 'task', 'claim'])).code).toBe(3);
    const { code, err } = await gt(town, alpha, ['task', 'claim']);
    expect([code, err]).toEqual([3, expect.stringContaining('there are no tasks here')]);
  });
});

describe('field report 46: a corrupt store', () => {
  it('is exit 4 in every command and stays as it is; beads and status go on', async () => {
    const path = join(town.stateDir, 'modes', 'swarm.db');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.alloc(4096));
    for (const words of [
      ['task', 'add', 'x'],
      ['task', 'list'],
      ['task', 'show', 't-1'],
    ]) {
      const { code, err } = await gastown(town, words);
      expect([words, code]).toEqual([words, 4]);
      expect(err).toMatch(/^gastown: [^\n]+corrupt[^\n]+\n$/);
    }
    expect((await gt(town, alpha, ['task', 'claim'])).code).toBe(4);
    expect(readFileSync(path).equals(Buffer.alloc(4096))).toBe(true);
    expect((await gastown(town, ['bead', 'add', 'x'])).code).toBe(0);
    expect((await gastown(town, ['status'])).code).toBe(0);
  });
});
