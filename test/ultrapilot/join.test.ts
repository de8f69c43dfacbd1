/** What the workers of an ultrapilot made, joined with real git: in order, held back with names, tried again, and nothing lost. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modeRecordsOf } from '../../src/town/modes/records.ts';
import { gastown, gt } from '../support/in-process.ts';
import { alpha, bravo, charlie, openWork, twoParts, type Work } from './support.ts';

let work: Work;
beforeEach(async () => {
  work = await openWork();
});
afterEach(() => work.town.stop());

const results = async () => (await work.view()).joined?.parts.map(({ agent, result }) => [agent, result]);
const filesOn = (branch: string): string[] => work.town.git('ls-tree', '-r', '--name-only', branch).trim().split('\n');

describe('joining', () => {
  it('every branch in the order of the plan, on one of its own; the main checkout stands where it stood', async () => {
    await work.begin({ ...twoParts, [charlie]: ['docs/**'] });
    const head = work.town.git('rev-parse', 'HEAD');
    work.commit(alpha, { 'src/cart/b.ts': 'x' });
    work.commit(bravo, { 'src/till/b.ts': 'x' });
    // A handoff is for its successor in that tree, and no part of the work.
    work.write(charlie, 'HOOK_NEXT_CYCLE.md');
    for (const agent of [alpha, bravo, charlie]) await work.finish(agent);
    await work.patrol();
    const view = await work.view();
    expect(await results()).toEqual([
      [alpha, 'merged'],
      [bravo, 'merged'],
      [charlie, 'nothing'],
    ]);
    expect(view).toMatchObject({
      active: false,
      ended: expect.stringContaining('take it: git merge gastown/ultrapilot-'),
    });
    expect(filesOn(view.joined?.branch ?? '')).toEqual(expect.arrayContaining(['src/cart/b.ts', 'src/till/b.ts']));
    expect(work.town.git('rev-parse', 'HEAD')).toBe(head);
    // Its branch has all of it, so its tree is gone.
    expect(view.joined?.tree).toBeNull();
    expect(work.town.git('worktree', 'list')).not.toContain('ultrapilot-');
    expect(existsSync(join(work.town.root, 'src/cart/b.ts'))).toBe(false);
    const town = await work.open();
    expect(modeRecordsOf(town.store, `s-${alpha}`)[0]).toMatchObject({ active: false });
    expect(existsSync(town.store.paths.handlerSessionState('ultrapilot', 'crew-me'))).toBe(false);
  });

  it('files of others, uncommitted work and failed parts are held back with names, and go in when they are asked for or mended', async () => {
    await work.begin({ ...twoParts, [charlie]: ['docs/**'] });
    work.commit(alpha, { 'src/cart/b.ts': 'x', 'src/till/a.ts': 'stolen\n' });
    work.commit(bravo, { 'src/till/b.ts': 'x' });
    work.write(bravo, 'src/till/forgotten.ts');
    await work.finish(alpha);
    await work.finish(bravo);
    await work.finish(charlie, '--failed', 'no docs');
    await work.patrol();
    const { out } = await work.say();
    expect(out).toContain('polecat-alpha: changes files of others: src/till/a.ts (polecat-bravo)');
    expect(out).toContain('polecat-bravo: not committed: src/till/forgotten.ts');
    expect(out).toContain('polecat-charlie: failed');
    expect((await gastown(work.town, ['escalations'])).out).toContain('src/till/a.ts (polecat-bravo)');
    // A second look changes nothing by itself, and says so by its exit.
    expect(await work.say('integrate')).toMatchObject({ code: 3 });
    work.git(bravo, 'add', '--all');
    work.git(bravo, 'commit', '-q', '-m', 'forgotten');
    expect(await work.say('integrate', '--without', charlie)).toMatchObject({ code: 3 });
    expect(await results()).toEqual([
      [alpha, 'outside'],
      [bravo, 'merged'],
      [charlie, 'left_out'],
    ]);
    const last = await work.say('integrate', '--accept', alpha);
    expect(last, last.err).toMatchObject({ code: 0 });
    const { joined, active } = await work.view();
    expect(active).toBe(false);
    expect(work.town.git('show', `${joined?.branch}:src/till/a.ts`)).toBe('stolen\n');
    expect((await gastown(work.town, ['escalations'])).out).not.toMatch(/^\S*mode-.* open/m);
  });

  it('a conflict is told with its files and taken back whole; mended by hand in its tree, it is merged', async () => {
    await work.begin(twoParts);
    work.commit(alpha, { 'src/cart/b.ts': 'x', 'shared.ts': 'alpha\n' });
    work.commit(bravo, { 'src/till/b.ts': 'x', 'shared.ts': 'bravo\n' });
    await work.finish(alpha);
    await work.finish(bravo);
    const first = await work.say('integrate', '--accept', `${alpha},${bravo}`);
    expect(first.code).toBe(3);
    expect(first.out).toContain('polecat-bravo: conflict in shared.ts');
    const { joined } = await work.view();
    const tree = joined?.tree ?? '';
    const inTree = (...words: string[]) => work.town.git('-C', tree, ...words);
    expect(inTree('status', '--porcelain')).toBe('');
    expect(filesOn(joined?.branch ?? '')).not.toContain('src/till/b.ts');
    expect(() => inTree('merge', '--no-ff', '-m', 'by hand', `gastown/${bravo}`)).toThrow();
    expect(await work.say('integrate')).toMatchObject({
      code: 3,
      err: expect.stringContaining('a merge is not ended in'),
    });
    writeFileSync(join(tree, 'shared.ts'), 'both\n');
    inTree('add', 'shared.ts');
    inTree('commit', '-q', '-m', 'both');
    expect(await work.say('integrate')).toMatchObject({ code: 0 });
    expect(work.town.git('show', `${joined?.branch}:shared.ts`)).toBe('both\n');
  });

  it('a branch that took in a later state of the main one has changed none of that', async () => {
    await work.begin(twoParts);
    work.town.write('shared.ts', 'two\n');
    work.town.git('commit', '-q', '-am', 'main goes on');
    work.git(alpha, 'merge', '-q', 'main');
    work.commit(alpha, { 'src/cart/b.ts': 'x' });
    await work.finish(alpha);
    await work.finish(bravo);
    await work.patrol();
    expect(await results()).toEqual([
      [alpha, 'merged'],
      [bravo, 'nothing'],
    ]);
  });

  it('cancelled in the middle: nobody is held, branches stay, and what lies on hooks is said', async () => {
    await work.begin(twoParts);
    work.commit(alpha, { 'src/cart/b.ts': 'x' });
    const { out } = await work.say('cancel');
    expect(out).toContain('is still on the hook of polecat-bravo');
    expect(await gt(work.town, alpha, ['ultrapilot', 'may', 'src/till/x.ts'], { cwd: work.tree(alpha) })).toMatchObject(
      { code: 0 },
    );
    expect(filesOn(`gastown/${alpha}`)).toContain('src/cart/b.ts');
    expect(await work.say('integrate')).toMatchObject({ code: 3 });
  });
});
