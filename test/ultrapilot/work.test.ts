/** An ultrapilot with real git, up to its last part: the plan and its word, what is refused before it begins, parts and files. */
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionsOf } from '../../src/town/actions.ts';
import { openFeed } from '../../src/town/feed.ts';
import { modeRecordsOf } from '../../src/town/modes/records.ts';
import { waitingPlans } from '../../src/town/ultrapilot/approval.ts';
import { startUltrapilot } from '../../src/town/ultrapilot/plan.ts';
import { changeRun, requireUltrapilot } from '../../src/town/ultrapilot/run.ts';
import { gastown, gt } from '../support/in-process.ts';
import { alpha, bravo, charlie, openWork, twoParts, type Work } from './support.ts';

let work: Work;
beforeEach(async () => {
  work = await openWork();
});
afterEach(() => work.town.stop());

describe('before it begins', () => {
  it('nothing happens until a human says so; the plan is shown, replaced by a file, edited, and cancelled', async () => {
    await work.plan(twoParts);
    const { town } = work;
    expect((await work.say()).out).toMatch(/polecat-alpha +- +- +src\/cart\/\*\* +part of polecat-alpha/);
    expect((await work.say('plan')).out).toContain('"goal":"the shop"');
    expect([town.git('branch', '--list', 'gastown/*'), town.git('status', '--short')]).toEqual([
      '',
      expect.any(String),
    ]);
    town.write(
      '../other.yaml',
      `goal: other\ncoordinator: crew-me\nworkers: [{agent: ${charlie}, task: all, files: ['**']}]\n`,
    );
    expect((await work.say('plan', '../other.yaml')).out).toContain(charlie);
    town.write(
      '../overlap.yaml',
      JSON.stringify({
        ...{ goal: 'x', coordinator: 'crew-me' },
        workers: [alpha, bravo].map((agent) => ({ agent, task: 't', files: ['src/**'] })),
      }),
    );
    const refused = await work.say('plan', '../overlap.yaml');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/of polecat-bravo overlaps src\/\*\* of polecat-alpha/),
    ]);
    town.program('my-editor', '#!/bin/sh\nsed -i s/other/edited/ "$1"\n');
    const env = { EDITOR: join(town.folder, 'bin/my-editor') };
    expect((await gastown(town, ['ultrapilot', 'edit'], { terminal: true, env })).out).toContain('goal: edited');
    town.program('my-editor', '#!/bin/sh\necho nonsense >"$1"\n');
    const kept = await gastown(town, ['ultrapilot', 'edit'], { terminal: true, env });
    const [, file = ''] = /what you wrote is in (\/\S+)/.exec(kept.err) ?? [];
    expect([kept.code, readFileSync(file, 'utf8')]).toEqual([1, 'nonsense\n']);
    rmSync(dirname(file), { recursive: true });
    expect(await gastown(town, ['ultrapilot', 'edit'])).toMatchObject({ code: 1 });
    expect(await gastown(town, ['mode', 'cancel', 'crew-me'])).toMatchObject({ code: 0 });
    expect(await work.say('start')).toMatchObject({
      code: 3,
      err: expect.stringContaining('there is no ultrapilot here'),
    });
  });

  it.each<[string, () => Promise<void> | void, number, string]>([
    [
      'a worker with other work',
      async () => void (await gastown(work.town, ['sling', 'other work', bravo])),
      5,
      'the hook of polecat-bravo is pending',
    ],
    ['uncommitted work in a tree', () => work.write(bravo, 'shared.ts', 'mine\n'), 3, 'uncommitted changes: shared.ts'],
    [
      'commits of before',
      () => work.commit(bravo, { 'src/cart/old.ts': 'x' }),
      3,
      'has commits that the main checkout has not',
    ],
  ])('%s is refused, and nothing has begun', async (_what, prepare, exit, words) => {
    await work.begin(twoParts);
    await gastown(work.town, ['ultrapilot', 'cancel']);
    for (const agent of [alpha, bravo]) await gastown(work.town, ['clear', agent, '--force', '--reason', 'again']);
    await work.plan(twoParts);
    await prepare();
    expect(await work.say('start')).toMatchObject({ code: exit, err: expect.stringContaining(words) });
    expect(await work.view()).toMatchObject({ stage: 'plan', parts: [] });
    expect(work.town.hook(alpha).status).toBe('empty');
  });

  it('a worker that works in the main checkout can be none', async () => {
    await work.plan({ 'crew-me': ['src/**'] });
    expect(await work.say('start')).toMatchObject({
      code: 3,
      err: expect.stringContaining('crew-me has no worktree of its own'),
    });
  });

  it('it waits among the approvals of the control pane: denied it stays to be changed, allowed the work begins', async () => {
    await work.plan(twoParts);
    const town = await work.open();
    const actions = actionsOf(town);
    const [waiting] = waitingPlans(town.store);
    expect(waiting).toMatchObject({ agent_id: 'crew-me', tool: 'ultrapilot', until: null });
    expect(waiting?.what).toContain('polecat-alpha writes src/cart/**: part of polecat-alpha · polecat-bravo writes');
    const feed = await openFeed(town);
    expect(feed.current().approvals).toEqual([waiting]);
    await feed.close();
    const id = waiting?.request_id ?? '';
    expect(await actions.answerApproval(id, 'deny')).toMatchObject({ kind: 'done' });
    expect(waitingPlans(town.store)).toEqual([]);
    expect((await work.say('plan')).out).toContain('"goal":"the shop"');
    await expect(actions.answerApproval('run-other', 'allow')).rejects.toMatchObject({ exit: 3 });
    work.town.write('../plan.yaml', (await work.say('plan')).out.replace('the shop', 'the other shop'));
    expect(await work.say('plan', '../plan.yaml')).toMatchObject({ code: 0 });
    // A word on a text that is not there any more is none.
    await expect(actions.answerApproval(id, 'allow')).rejects.toMatchObject({ exit: 3 });
    const [next] = waitingPlans(town.store);
    expect(await actions.answerApproval(next?.request_id ?? '', 'allow')).toMatchObject({
      text: 'the ultrapilot begins: 2 workers',
    });
    expect(work.town.hook(alpha).status).toBe('pending');
  });

  it('without a plan the coordinator is told to write one, and only it hands one in', async () => {
    const town = await work.open();
    await startUltrapilot(town, { mode: 'ultrapilot', agentId: 'crew-me', goal: 'build the shop', by: 'operator' });
    const [member] = modeRecordsOf(town.store, 's-crew-me');
    expect(member).toMatchObject({
      next: { kind: 'say', text: expect.stringContaining("ultrapilot plan - <<'PLAN'") },
    });
    expect(await work.say('start')).toMatchObject({ code: 3, err: expect.stringContaining('no plan to begin with') });
    const text = JSON.stringify({
      goal: 'shop',
      coordinator: 'crew-me',
      workers: [{ agent: alpha, task: 't', files: ['a'] }],
    });
    expect(await gt(work.town, alpha, ['ultrapilot', 'plan', '-'], { input: text })).toMatchObject({ code: 3 });
    expect(await gt(work.town, 'crew-me', ['ultrapilot', 'plan', '-'], { input: text })).toMatchObject({ code: 0 });
    expect(modeRecordsOf(town.store, 's-crew-me')[0]?.state).toMatchObject({ say: null });
  });
});

describe('the work', () => {
  it('each worker has its bead, its tree and its files; what it may write is told with the owner', async () => {
    await work.begin(twoParts);
    const bead = work.town.hook(alpha).work_item?.bead_id ?? '';
    const shown = (await gastown(work.town, ['bead', 'show', bead])).out;
    for (const words of [
      'part of polecat-alpha',
      'Your files, and no others: src/cart/**',
      'Of polecat-bravo: src/till/**',
    ])
      expect(shown).toContain(words);
    expect((await gt(work.town, alpha, ['ultrapilot'])).out).toContain('your files: src/cart/**');
    const may = (agent: string, file: string) =>
      gt(work.town, agent, ['ultrapilot', 'may', file], { cwd: work.tree(alpha) });
    expect(await may(alpha, 'src/cart/b.ts')).toMatchObject({ code: 0 });
    expect(await may(alpha, 'src/till/b.ts')).toMatchObject({
      code: 3,
      err: expect.stringContaining('belongs to polecat-bravo'),
    });
    expect(await may(charlie, 'src/till/b.ts')).toMatchObject({ code: 0, out: 'you are held to no files\n' });
    // The coordinator works in the main checkout: files of an open part are not its own, of one that is done they are.
    const mine = () => gt(work.town, 'crew-me', ['ultrapilot', 'may', join(work.town.root, 'src/cart/b.ts')]);
    expect(await mine()).toMatchObject({ code: 3, err: expect.stringContaining('belongs to polecat-alpha') });
    work.commit(alpha, { 'src/cart/b.ts': 'x' });
    await work.finish(alpha);
    expect(await mine()).toMatchObject({ code: 0 });
    expect(await may(alpha, 'src/till/b.ts')).toMatchObject({ code: 0 });
    expect((await work.view()).parts.map(({ status }) => status)).toEqual(['done', 'working']);
  });

  it('a part that was taken off its hook is not put back by itself', async () => {
    await work.begin(twoParts);
    await gastown(work.town, ['clear', bravo, '--force', '--reason', 'I do it myself']);
    await work.patrol();
    expect(work.town.hook(bravo).status).toBe('empty');
    expect((await work.view()).parts[1]).toMatchObject({ status: 'waiting', slung: true });
  });

  it('what was not given out when its starter died is given out by the patrol, once', async () => {
    await work.begin(twoParts);
    const town = await work.open();
    await changeRun(town, requireUltrapilot(town), (state) => ({
      state: { ...state, parts: state.parts.map((part) => ({ ...part, slung: false })) },
    }));
    await work.patrol();
    expect((await work.view()).parts.map(({ slung }) => slung)).toEqual([true, true]);
    expect((await gastown(work.town, ['bead', 'list', '--json'])).out.match(/"bead_id"/g)).toHaveLength(2);
  });
});
