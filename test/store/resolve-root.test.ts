import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { resolveRoot } from '../../src/store/resolve-root.ts';
import { scratch } from './scratch.ts';

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' };
const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always', ...args],
    {
      cwd,
      env,
      stdio: 'ignore',
    },
  );

const rootOf = (cwd: string) => resolveRoot({ cwd, env: {} });
const make = (...parts: string[]): string => {
  const folder = join(...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
};
const file = (...parts: string[]): void => {
  make(dirname(join(...parts)));
  writeFileSync(join(...parts), '');
};

/** A repository with one commit, in a folder whose name has a space and an accent. */
function repository(name = 'my é.app'): string {
  const town = make(scratch(), name);
  git(town, 'init', '-q', '-b', 'main');
  file(town, 'readme');
  file(town, 'gastown.yaml');
  git(town, 'add', '.');
  git(town, 'commit', '-qm', 'one');
  return town;
}

describe('field report 36: one root', () => {
  test('for the root, a sub-folder, a symlink to it, a folder that is gone, and a linked worktree anywhere', () => {
    const town = repository();
    file(town, '.chipset', 'state', 'town.json');
    const deep = make(town, 'src', 'deep');
    const link = join(dirname(town), 'link');
    symlinkSync(town, link);
    const inside = join(town, '.chipset', 'worktrees', 'polecat-alpha');
    const outside = join(dirname(town), 'elsewhere');
    const ignored = join(town, '.trees', 'x');
    for (const tree of [inside, outside, ignored]) git(town, 'worktree', 'add', '-q', '--detach', tree);
    const gone = make(town, 'src', 'gone');
    rmSync(gone, { recursive: true });
    for (const cwd of [
      town,
      deep,
      link,
      join(link, 'src'),
      inside,
      make(inside, 'src'),
      outside,
      make(outside, 'a', 'b'),
      ignored,
      gone,
    ]) {
      expect(rootOf(cwd)).toEqual({ root: town, stateDir: join(town, '.chipset', 'state'), via: 'town' });
    }
  });

  test('for a submodule of the town and of its worktrees: the superproject', () => {
    const [town, library] = [repository(), repository()];
    git(town, 'submodule', '--quiet', 'add', library, 'sub');
    git(town, 'commit', '-qm', 'submodule');
    file(town, '.chipset', 'state', 'town.json');
    const inside = join(town, '.chipset', 'worktrees', 'a');
    const outside = join(dirname(town), 'elsewhere');
    for (const tree of [inside, outside]) {
      git(town, 'worktree', 'add', '-q', '--detach', tree);
      git(tree, 'submodule', '--quiet', 'update', '--init');
    }
    for (const cwd of [join(town, 'sub'), make(town, 'sub', 'src'), join(inside, 'sub'), join(outside, 'sub')]) {
      expect(rootOf(cwd).root).toBe(town);
    }
  });

  test('before there is a town: where gastown.yaml lies, then the repository', () => {
    const town = repository();
    expect(rootOf(make(town, 'src'))).toMatchObject({ root: town, via: 'config' });
    const tree = join(dirname(town), 'elsewhere');
    git(town, 'worktree', 'add', '-q', '--detach', tree);
    expect(rootOf(tree)).toMatchObject({ root: town, via: 'config' });
    rmSync(join(town, 'gastown.yaml'));
    expect(rootOf(join(town, 'src'))).toMatchObject({ root: town, via: 'git' });
  });

  test('a running town outranks a configuration that lies deeper', () => {
    const town = repository();
    file(town, '.chipset', 'state', 'town.json');
    file(town, 'test', 'fixtures', 'gastown.yaml');
    expect(rootOf(join(town, 'test', 'fixtures')).root).toBe(town);
  });

  test('the search ends at the repository: a town around it is another one', () => {
    const home = scratch();
    file(home, '.chipset', 'state', 'town.json');
    const project = make(home, 'code', 'project');
    git(project, 'init', '-q');
    expect(rootOf(project)).toMatchObject({ root: project, via: 'git' });
    expect(rootOf(join(home, 'code'))).toMatchObject({ root: home, via: 'town' });
  });

  test('a worktree of a bare repository stands for itself', () => {
    const town = repository();
    const bare = join(dirname(town), 'bare.git');
    git(dirname(town), 'clone', '-q', '--bare', town, bare);
    const tree = join(dirname(town), 'tree');
    git(bare, 'worktree', 'add', '-q', '--detach', tree);
    expect(rootOf(tree).root).toBe(tree);
  });

  test('a repository whose git folder lies elsewhere is its own root', () => {
    const folder = scratch();
    const town = make(folder, 'town');
    git(folder, 'init', '-q', '--separate-git-dir', join(folder, 'apart'), town);
    expect(rootOf(make(town, 'src'))).toMatchObject({ root: town, via: 'git' });
  });

  test('outside of everything nothing is a town, and nothing is created', () => {
    const folder = make(scratch(), 'plain', 'deep');
    expect(rootOf(folder)).toEqual({ root: folder, stateDir: join(folder, '.chipset', 'state'), via: 'cwd' });
    expect(readdirSync(folder)).toEqual([]);
    expect(['cwd', 'git', 'config', 'town']).toContain(rootOf(homedir()).via);
    file(dirname(folder), 'gastown.yaml');
    expect(rootOf(folder)).toMatchObject({ root: dirname(folder), via: 'config' });
  });
});

describe('GT_STATE_DIR', () => {
  test('wins over where one stands, and need not exist', () => {
    const [town, other] = [repository(), repository()];
    const stateDir = join(town, '.chipset', 'state');
    expect(resolveRoot({ cwd: other, env: { GT_STATE_DIR: stateDir } })).toEqual({ root: town, stateDir, via: 'env' });
    expect(existsSync(join(town, '.chipset'))).toBe(false);
    const link = join(dirname(town), 'link');
    symlinkSync(town, link);
    expect(resolveRoot({ cwd: '/', env: { GT_STATE_DIR: join(link, '.chipset', 'state') } }).root).toBe(town);
  });

  test('empty is unset, relative is exit 1', () => {
    const town = repository();
    expect(resolveRoot({ cwd: town, env: { GT_STATE_DIR: '' } }).root).toBe(town);
    expect(() => resolveRoot({ cwd: town, env: { GT_STATE_DIR: '.chipset/state' } })).toThrow(/not an absolute path/);
  });
});
