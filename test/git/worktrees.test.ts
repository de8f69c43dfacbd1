import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { git } from '../../src/git/git.ts';
import { ensureWorktree, whyNoWorktree } from '../../src/git/worktrees.ts';
import { commit, repository, run, scratch } from './repository.ts';

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const branches = (town: string): string[] =>
  run(town, 'for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n');

describe('a worktree for each agent', () => {
  test('lies below .chipset/worktrees, on a branch of its own, and a second call finds it', async () => {
    const town = repository();
    const path = join(town, '.chipset', 'worktrees', 'polecat-alpha');
    const made = { path, cwd: path, branch: 'gastown/polecat-alpha', created: true };
    expect(await ensureWorktree(town, 'polecat-alpha')).toEqual(made);
    expect(await ensureWorktree(town, 'polecat-alpha')).toEqual({ ...made, created: false });
    expect(readFileSync(join(path, 'readme'), 'utf8')).toBe('readme');
    expect(run(town, 'status', '--porcelain')).toBe('');
    expect(run(town, 'branch', '--show-current')).toBe('main');
  });

  test('a branch the agent changed to, and work in progress, are kept', async () => {
    const town = repository();
    const path = (await ensureWorktree(town, 'a'))?.path ?? '';
    run(path, 'switch', '-qc', 'polecat/gt-abc12');
    writeFileSync(join(path, 'new'), 'new');
    expect(await ensureWorktree(town, 'a')).toMatchObject({ branch: 'polecat/gt-abc12', created: false });
    run(path, 'switch', '-q', '--detach');
    expect(await ensureWorktree(town, 'a')).toMatchObject({ branch: null, created: false });
    expect(existsSync(join(path, 'new'))).toBe(true);
  });

  test('the base and the branch can be chosen', async () => {
    const town = repository();
    const base = run(town, 'rev-parse', 'HEAD');
    commit(town, 'later');
    const made = await ensureWorktree(town, 'a', { base: 'origin/main', branch: 'polecat/gt-abc12' });
    expect(made?.branch).toBe('polecat/gt-abc12');
    expect(run(made?.path ?? '', 'rev-parse', 'HEAD')).toBe(base);
  });

  test('a branch that is left over is used again with its commits', async () => {
    const town = repository();
    const path = (await ensureWorktree(town, 'a'))?.path ?? '';
    const head = commit(path, 'work');
    run(town, 'worktree', 'remove', path);
    expect(await ensureWorktree(town, 'a')).toMatchObject({ branch: 'gastown/a', created: true });
    expect(run(path, 'rev-parse', 'HEAD')).toBe(head);
  });

  test('a town that is a part of its repository has its agents in that part', async () => {
    const town = repository();
    mkdirSync(join(town, 'packages', 'a'), { recursive: true });
    commit(town, 'packages/a/file');
    const made = await ensureWorktree(join(town, 'packages', 'a'), 'b');
    expect(made?.cwd).toBe(join(made?.path ?? '', 'packages', 'a'));
    expect(existsSync(join(made?.cwd ?? '', 'file'))).toBe(true);
  });

  test('a symlinked path of the town is the same town', async () => {
    const town = repository();
    const link = join(dirname(town), 'link');
    symlinkSync(town, link);
    await ensureWorktree(town, 'a');
    expect(await ensureWorktree(link, 'a')).toMatchObject({
      path: join(town, '.chipset', 'worktrees', 'a'),
      created: false,
    });
  });

  test('GIT_DIR and GIT_WORK_TREE of the caller do not redirect it', async () => {
    const [town, other] = [repository(), repository()];
    process.env['GIT_DIR'] = join(other, '.git');
    process.env['GIT_WORK_TREE'] = other;
    try {
      await ensureWorktree(town, 'a');
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['GIT_WORK_TREE'];
    }
    expect(branches(other)).toEqual(['main']);
    expect(branches(town)).toEqual(['gastown/a', 'main']);
  });
});

describe('where there can be none', () => {
  test('outside a repository, and before the first commit: null, and one line that says why', async () => {
    const folder = scratch();
    expect(await ensureWorktree(folder, 'a')).toBeNull();
    expect(await whyNoWorktree(folder)).toBe('this is not a git repository');
    run(folder, 'init', '-q');
    expect(await ensureWorktree(folder, 'a')).toBeNull();
    expect(await whyNoWorktree(folder)).toBe('this repository has no commit yet');
    expect(readdirSync(folder)).toEqual(['.git']);
  });

  test('field report 11: a malformed name is exit 1 before anything is made', async () => {
    const town = repository();
    for (const name of ['../x', '__proto__', 'a b', `a${'b'.repeat(300)}`, '-f']) {
      await expect(ensureWorktree(town, name)).rejects.toMatchObject({ exit: 1 });
    }
    expect(existsSync(join(town, '.chipset'))).toBe(false);
  });

  test('something else in the place is exit 5 and stays', async () => {
    const town = repository();
    const path = join(town, '.chipset', 'worktrees', 'a');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'precious'), '1');
    await expect(ensureWorktree(town, 'a')).rejects.toMatchObject({ exit: 5 });
    expect(readdirSync(path)).toEqual(['precious']);
    expect(branches(town)).toEqual(['main']);
  });

  test('a branch that is checked out elsewhere is exit 5, naming where', async () => {
    const town = repository();
    run(town, 'switch', '-qc', 'gastown/a');
    await expect(ensureWorktree(town, 'a')).rejects.toMatchObject({ exit: 5, message: expect.stringContaining(town) });
  });
});

describe('field report 55: many at once, and locks of git', () => {
  test('40 worktrees in parallel from origin/main, and the shared config is not touched', async () => {
    const town = repository();
    const config = readFileSync(join(town, '.git', 'config'), 'utf8');
    const names = Array.from({ length: 40 }, (_, index) => `polecat-${index}`);
    const made = await Promise.all(names.map((name) => ensureWorktree(town, name, { base: 'origin/main' })));
    expect(made.filter((one) => one?.created)).toHaveLength(40);
    expect(branches(town)).toHaveLength(41);
    expect(readFileSync(join(town, '.git', 'config'), 'utf8')).toBe(config);
  });

  test('with config.lock and index.lock left by a crash it works all the same, and both stay', async () => {
    const town = repository();
    const locks = ['config.lock', 'index.lock'].map((name) => join(town, '.git', name));
    for (const lock of locks) writeFileSync(lock, '');
    expect(await ensureWorktree(town, 'a')).toMatchObject({ created: true });
    expect(locks.map((lock) => existsSync(lock))).toEqual([true, true]);
  });

  test('a lock that stays: bounded attempts, exit 3 with the words of git, the path and its age, no branch left', async () => {
    const town = repository();
    const lock = join(town, '.git', 'refs', 'heads', 'gastown', 'a.lock');
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '');
    utimesSync(lock, Date.now() / 1000 - 3_600, Date.now() / 1000 - 3_600);
    await expect(ensureWorktree(town, 'a')).rejects.toMatchObject({
      exit: 3,
      message: expect.stringMatching(/a\.lock.*File exists.*36\d\d s old/),
    });
    expect(existsSync(lock)).toBe(true);
    expect(branches(town)).toEqual(['main']);
    unlinkSync(lock);
    expect(await ensureWorktree(town, 'a')).toMatchObject({ created: true });
  });

  test('a failure after the branch was made leaves no branch', async () => {
    const town = repository();
    // Git makes the branch, then cannot make its own folder of worktrees.
    writeFileSync(join(town, '.git', 'worktrees'), 'in the way');
    await expect(ensureWorktree(town, 'a')).rejects.toMatchObject({ exit: 3 });
    expect(branches(town)).toEqual(['main']);
  });
});

describe('a worktree whose folder is gone', () => {
  test('comes back with its branch, its commits and what was staged; other missing ones are not forgotten', async () => {
    const town = repository();
    const path = (await ensureWorktree(town, 'a'))?.path ?? '';
    const other = (await ensureWorktree(town, 'b'))?.path ?? '';
    const head = commit(path, 'work');
    writeFileSync(join(path, 'staged'), 'staged');
    run(path, 'add', 'staged');
    rmSync(path, { recursive: true });
    rmSync(other, { recursive: true });
    expect(await ensureWorktree(town, 'a')).toMatchObject({ path, branch: 'gastown/a' });
    expect(run(path, 'rev-parse', 'HEAD')).toBe(head);
    expect(readFileSync(join(path, 'work'), 'utf8')).toBe('work');
    expect(run(path, 'status', '--porcelain')).toBe('A  staged');
    expect(run(town, 'worktree', 'list', '--porcelain')).toContain(other);
  });

  test('that lost only its .git file is not written over', async () => {
    const town = repository();
    const path = (await ensureWorktree(town, 'a'))?.path ?? '';
    renameSync(join(path, '.git'), join(path, 'dot-git'));
    await expect(ensureWorktree(town, 'a')).rejects.toMatchObject({ exit: 5 });
  });
});

test('git that cannot run is an answer, not an exception', async () => {
  expect(await git('/nonexistent', ['status'])).toMatchObject({ ok: false, code: null });
  expect(await git(scratch(), ['status'])).toMatchObject({ ok: false, code: 128 });
  expect(await git(scratch(), ['--version'], { timeoutMs: 60_000 })).toMatchObject({ ok: true });
});
