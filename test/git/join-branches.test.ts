/** Branches joined in a tree of their own: what each changed, merges, conflicts taken back whole (issue 6, ultrapilot). */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { changedFiles, commitOf, fastForward, isContained, mergeInto } from '../../src/git/join-branches.ts';
import { ensureWorktree } from '../../src/git/worktrees.ts';
import { commit, repository, run } from './repository.ts';

vi.setConfig({ testTimeout: 60_000 });

const treeOf = async (town: string, agent: string): Promise<string> => (await ensureWorktree(town, agent))?.path ?? '';
const head = async (tree: string): Promise<string> => (await commitOf(tree)) ?? '';

test('what a branch changed: moved files are two, a later state of the main one is none of it, names keep their letters', async () => {
  const town = repository();
  commit(town, 'old name.txt', 'text\n');
  const base = await head(town);
  const tree = await treeOf(town, 'a');
  run(tree, 'mv', 'old name.txt', 'neuer Näme.txt');
  run(tree, 'commit', '-qm', 'moved');
  commit(town, 'main-only.txt', 'x\n');
  run(tree, 'merge', '-q', '--no-edit', 'main');
  const bases = [base, await head(town)];
  expect((await changedFiles(tree, await head(tree), bases)).sort()).toEqual(['neuer Näme.txt', 'old name.txt']);
  expect(await changedFiles(tree, base, bases)).toEqual([]);
});

test('of a town that is a part of its repository: paths are the town’s, those above it lead out', async () => {
  const town = repository();
  const base = await head(town);
  const tree = await treeOf(town, 'a');
  for (const file of ['app/src/a.ts', 'lib/b.ts']) {
    mkdirSync(join(tree, file, '..'), { recursive: true });
    commit(tree, file, 'x\n');
  }
  expect((await changedFiles(join(tree, 'app'), await head(tree), [base])).sort()).toEqual(['../lib/b.ts', 'src/a.ts']);
});

test('a conflict is told with its files, and the tree is as it was; what is in already is said to be', async () => {
  const town = repository();
  const [into, a, b] = [await treeOf(town, 'into'), await treeOf(town, 'a'), await treeOf(town, 'b')];
  commit(a, 'both.txt', 'a\n');
  commit(b, 'both.txt', 'b\n');
  commit(b, 'own.txt', 'b\n');
  expect(await mergeInto(into, await head(a), 'first')).toEqual({ kind: 'merged' });
  expect(await mergeInto(into, await head(a), 'again')).toEqual({ kind: 'contained' });
  const before = await head(into);
  expect(await mergeInto(into, await head(b), 'second')).toEqual({ kind: 'conflict', files: ['both.txt'] });
  expect([await head(into), run(into, 'status', '--porcelain'), existsSync(join(into, 'own.txt'))]).toEqual([
    before,
    '',
    false,
  ]);
  expect(run(into, 'log', '-1', '--format=%s')).toBe('first');
});

test('a file that is in the way is refused with git’s words, and stays', async () => {
  const town = repository();
  const [into, a] = [await treeOf(town, 'into'), await treeOf(town, 'a')];
  commit(a, 'new.txt', 'a\n');
  writeFileSync(join(into, 'new.txt'), 'mine\n');
  await expect(mergeInto(into, await head(a), 'first')).rejects.toMatchObject({ exit: 3 });
  expect(readFileSync(join(into, 'new.txt'), 'utf8')).toBe('mine\n');
});

test('only straight ahead: a branch with work of its own stays where it is', async () => {
  const town = repository();
  const tree = await treeOf(town, 'a');
  commit(town, 'later.txt', 'x\n');
  const later = await head(town);
  await fastForward(tree, later, 'cannot');
  expect(await isContained(town, await head(tree), later)).toBe(true);
  commit(tree, 'own.txt', 'x\n');
  const own = await head(tree);
  commit(town, 'even-later.txt', 'x\n');
  await expect(fastForward(tree, await head(town), 'cannot')).rejects.toMatchObject({ exit: 3 });
  expect(await head(tree)).toBe(own);
});
