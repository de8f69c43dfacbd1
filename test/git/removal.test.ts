import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { removeWorktree } from '../../src/git/remove-worktree.ts';
import { uncommittedSummary, worktreeState } from '../../src/git/worktree-state.ts';
import { ensureWorktree } from '../../src/git/worktrees.ts';
import { commit, repository, run, scratch } from './repository.ts';

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const stopped = { running: false };
const pids: number[] = [];
afterEach(() => {
  for (const pid of pids.splice(0)) process.kill(pid, 'SIGKILL');
});

async function withAgent(town = repository()): Promise<{ town: string; path: string }> {
  const path = (await ensureWorktree(town, 'a'))?.path ?? '';
  return { town, path };
}

/** A repository whose `sub` is a submodule, initialised in the agent's worktree too. */
async function withSubmodule(): Promise<{ town: string; path: string }> {
  const [town, library] = [repository(), repository()];
  run(town, 'submodule', '--quiet', 'add', library, 'sub');
  run(town, 'commit', '-qm', 'submodule');
  run(town, 'push', '-q');
  const made = await withAgent(town);
  run(made.path, 'submodule', '--quiet', 'update', '--init');
  return made;
}

describe('field report 57: a worktree goes only when nothing is lost', () => {
  test('clean and pushed: removed, its branch too, and the shared config is unchanged', async () => {
    const { town, path } = await withAgent();
    commit(path, 'work');
    run(path, 'push', '-q', 'origin', 'HEAD');
    const config = readFileSync(join(town, '.git', 'config'), 'utf8');
    expect(await removeWorktree(town, 'a', stopped)).toBe(true);
    expect(existsSync(path)).toBe(false);
    expect(run(town, 'branch', '--format=%(refname:short)')).toBe('main');
    expect(readFileSync(join(town, '.git', 'config'), 'utf8')).toBe(config);
    expect(await removeWorktree(town, 'a', stopped)).toBe(false);
  });

  test('clean and merged into main, never pushed: removed', async () => {
    const { town, path } = await withAgent();
    commit(path, 'work');
    run(town, 'merge', '-q', 'gastown/a');
    expect(await removeWorktree(town, 'a', stopped)).toBe(true);
  });

  test('clean with an initialised submodule: removed, which git alone would refuse', async () => {
    const { town, path } = await withSubmodule();
    expect(() => run(town, 'worktree', 'remove', path)).toThrow();
    expect(await removeWorktree(town, 'a', stopped)).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  const cases: [string, (path: string, town: string) => void, RegExp][] = [
    ['an unpushed commit', (path) => void commit(path, 'work'), /1 unpushed commit$/],
    ['a modified file', (path) => writeFileSync(join(path, 'readme'), 'x'), /modified: readme$/],
    ['a file staged and deleted again', (path) => void run(path, 'rm', '-q', '--cached', 'readme'), /modified: readme/],
    ['an untracked file', (path) => writeFileSync(join(path, 'né w'), 'x'), /untracked: né w$/],
    ['an ignored .env', (path) => writeFileSync(join(path, '.env'), 'SECRET=1'), /ignored files: \.env$/],
    [
      'a locked worktree',
      (path, town) => void run(town, 'worktree', 'lock', '--reason', 'on a disk', path),
      /locked: on a disk$/,
    ],
    [
      'a stash',
      (path) => {
        writeFileSync(join(path, 'readme'), 'x');
        run(path, 'stash', '-q');
      },
      /1 stash$/,
    ],
    [
      'a detached HEAD with commits',
      (path) => {
        run(path, 'switch', '-q', '--detach');
        commit(path, 'work');
      },
      /1 unpushed commit$/,
    ],
    [
      'an unfinished merge',
      (path, town) => {
        commit(town, 'readme2', '1');
        run(path, 'merge', '-q', '--no-ff', '--no-commit', 'main');
      },
      /a merge is under way/,
    ],
  ];
  test.each(cases)(
    '%s: kept, exit 5 naming the reason; gone only when discarded explicitly',
    async (what, make, reason) => {
      const { town, path } = await withAgent();
      make(path, town);
      await expect(removeWorktree(town, 'a', stopped)).rejects.toMatchObject({
        exit: 5,
        message: expect.stringMatching(reason),
      });
      expect(existsSync(join(path, '.git'))).toBe(true);
      if (what === 'a locked worktree') {
        await expect(removeWorktree(town, 'a', { running: false, discard: true })).rejects.toMatchObject({ exit: 5 });
      } else {
        expect(await removeWorktree(town, 'a', { running: false, discard: true })).toBe(true);
      }
    },
  );

  test.each([
    [
      'dirty inside a submodule',
      (sub: string) => writeFileSync(join(sub, 'readme'), 'x'),
      /changes in a submodule: sub/,
    ],
    [
      'an untracked file in a submodule',
      (sub: string) => writeFileSync(join(sub, 'n'), 'x'),
      /changes in a submodule: sub/,
    ],
    ['a commit that only a submodule has', (sub: string) => void commit(sub, 'work'), /sub/],
  ])('%s: kept', async (_what, make, reason) => {
    const { town, path } = await withSubmodule();
    make(join(path, 'sub'));
    await expect(removeWorktree(town, 'a', stopped)).rejects.toMatchObject({
      exit: 5,
      message: expect.stringMatching(reason),
    });
  });

  test('a commit of a submodule that is nowhere else keeps it, even when the worktree has committed and pushed it', async () => {
    const { town, path } = await withSubmodule();
    commit(join(path, 'sub'), 'work');
    run(path, 'commit', '-qam', 'move sub');
    run(path, 'push', '-q', 'origin', 'HEAD');
    await expect(removeWorktree(town, 'a', stopped)).rejects.toMatchObject({ exit: 5 });
  });

  test('a running agent, or any program that stands in it, keeps it whatever is asked', async () => {
    const { town, path } = await withAgent();
    const discard = { running: true, discard: true };
    await expect(removeWorktree(town, 'a', discard)).rejects.toMatchObject({
      exit: 5,
      message: expect.stringContaining('a runs'),
    });
    if (process.platform !== 'linux') return;
    const child = spawn('sleep', ['60'], { cwd: path, stdio: 'ignore' });
    pids.push(child.pid ?? 0);
    await new Promise((done) => child.once('spawn', done));
    await expect(removeWorktree(town, 'a', stopped)).rejects.toMatchObject({
      exit: 5,
      message: expect.stringContaining(`process ${child.pid} runs in it`),
    });
  });

  test('build output and dependencies, which tools make again, keep nothing', async () => {
    const { town, path } = await withAgent();
    mkdirSync(join(path, 'node_modules', 'x'), { recursive: true });
    writeFileSync(join(path, 'node_modules', 'x', 'index.js'), '');
    writeFileSync(join(path, 'npm-debug.log'), '');
    expect(await removeWorktree(town, 'a', stopped)).toBe(true);
  });

  test("another agent's stash and branch are no reason and no proof", async () => {
    const { town, path } = await withAgent();
    const other = (await ensureWorktree(town, 'b'))?.path ?? '';
    writeFileSync(join(other, 'readme'), 'x');
    run(other, 'stash', '-q');
    const head = commit(path, 'work');
    run(other, 'merge', '-q', head);
    expect(await worktreeState(path)).toMatchObject({ stashes: 0, unpushed: 1 });
  });
});

describe('what gt done says', () => {
  test('counts what is not committed and not pushed, also from a sub-folder, and is null outside a repository', async () => {
    const { path } = await withAgent();
    expect(await uncommittedSummary(path)).toEqual({ uncommitted: 0, unpushed: 0, branch: 'gastown/a' });
    commit(path, 'one');
    commit(path, 'two');
    writeFileSync(join(path, 'readme'), 'x');
    mkdirSync(join(path, 'deep'));
    writeFileSync(join(path, 'deep', 'new'), 'x');
    expect(await uncommittedSummary(join(path, 'deep'))).toEqual({ uncommitted: 2, unpushed: 2, branch: 'gastown/a' });
    expect(await uncommittedSummary(scratch())).toBeNull();
  });

  test('a rename counts once and its old name is not taken for another record', async () => {
    const { path } = await withAgent();
    run(path, 'mv', 'readme', 'r m');
    expect(await worktreeState(path)).toMatchObject({ modified: ['r m'], untracked: [] });
  });
});
