/**
 * Whose tree the caller stands in (seed 002, tree identity). Directories are compared by device and inode, never by
 * path text. The walk alone decides; git is asked afterwards, in a clean environment, and may only refuse.
 */
import { spawnSync } from 'node:child_process';
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { resolveRoot } from '../../store/resolve-root.ts';
import { GateRefusal } from './refusal.ts';

/**
 * Root of the tree that `cwd` (absolute) lies in: the nearest folder at or above it with a `.git` entry of any kind.
 * Without any git: the town's folder, or `cwd` itself. Throws a refusal for a vanished cwd, one inside `.git` or a bare
 * repository, and where git names another toplevel. `path`: the caller's PATH, to find git.
 */
export function findTree(cwd: string, path: string | undefined): string {
  const here = physical(cwd);
  const root = nearestWithGit(here) ?? resolveRoot({ cwd: here, env: {} }).root;
  for (let folder = here; !sameInode(folder, root); folder = dirname(folder)) {
    if (basename(folder) === '.git') throw new GateRefusal('inside_git');
    if (isBareRepository(folder)) throw new GateRefusal('inside_bare');
    if (folder === dirname(folder)) throw new GateRefusal('outside');
  }
  const toplevel = gitToplevel(here, path);
  if (toplevel !== null && !sameInode(toplevel, root)) throw new GateRefusal('other_toplevel');
  return root;
}

function physical(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    throw new GateRefusal('no_cwd');
  }
}

/** A `.git` file, folder or link counts, even a broken one; the folder `.git` itself is no working tree. */
function nearestWithGit(from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder;
    if (folder === dirname(folder)) return null;
  }
}

const isBareRepository = (folder: string): boolean =>
  ['HEAD', 'objects', 'refs'].every((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);

export function sameInode(a: string, b: string): boolean {
  const [left, right] = [inode(a), inode(b)];
  return left !== null && right !== null && left.dev === right.dev && left.ino === right.ino;
}

function inode(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/**
 * Null when git is absent, fails or takes too long. Its environment is an allowlist: no GIT_* of the caller, known or
 * yet to be invented, can redirect it, and no configuration but the repository's own is read.
 */
function gitToplevel(cwd: string, path: string | undefined): string | null {
  const env: NodeJS.ProcessEnv = { LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  if (path !== undefined) env['PATH'] = path;
  const result = spawnSync('git', ['rev-parse', '--show-toplevel'], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 5_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (result.error !== undefined || result.status !== 0) return null;
  return result.stdout.replace(/\r?\n$/, '') || null;
}
