/**
 * A worktree and a branch of its own for each agent, below `.chipset/worktrees` and never the main checkout. What is
 * there is kept as it is: another branch, uncommitted changes, an unfinished rebase. Nothing is ever forced.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { conflict, refused } from '../domain/errors.ts';
import { parseId } from '../domain/ids.ts';
import { git, gitOrRefuse } from './git.ts';
import { retryWhileLocked } from './lock-retry.ts';
import { type ListedWorktree, listWorktrees, realIfThere } from './worktree-list.ts';

export interface Worktree {
  /** Top of the worktree. */
  path: string;
  /** Where the agent works: `path`, or the town's folder in it when the town is a part of its repository. */
  cwd: string;
  /** What is checked out; null when detached. */
  branch: string | null;
  /** False when it was there already. */
  created: boolean;
}

export interface WorktreeWish {
  /** What a new branch starts from; the main worktree's HEAD unless told otherwise. */
  base?: string;
  /** Name of the branch; `gastown/<agent>` unless told otherwise. */
  branch?: string;
}

/**
 * Makes sure that the agent has its worktree. Null where there can be none: outside a repository and before its first
 * commit (`whyNoWorktree` says which). Throws exit 3 with git's words, exit 5 when something else is in the place; no
 * branch is left behind then.
 */
export async function ensureWorktree(root: string, agentId: string, wish: WorktreeWish = {}): Promise<Worktree | null> {
  const path = join(realIfThere(root), '.chipset', 'worktrees', parseId('agent', agentId));
  const top = await topWithCommit(root);
  if (top === null) return null;
  const all = await listWorktrees(root);
  const listed = all.find((one) => one.path === path);
  if (listed) await restoreIfMissing(root, path);
  else await addWorktree({ root, agentId, path, branch: wish.branch ?? `gastown/${agentId}`, base: wish.base, all });
  const branch = await verify(path, top, agentId);
  const part = join(path, relative(top, realIfThere(root)));
  return { path, cwd: existsSync(part) ? part : path, branch, created: listed === undefined };
}

/** Why agents cannot have worktrees here, in one line; null when they can. Throws exit 3 when git does not tell. */
export async function whyNoWorktree(root: string): Promise<string | null> {
  const inside = await git(root, ['rev-parse', '--is-inside-work-tree']);
  if (!inside.ok) {
    if (inside.text.includes('not a git repository')) return 'this is not a git repository';
    throw refused(`cannot make worktrees in ${root}: ${inside.text}`, 'see the words of git');
  }
  if (inside.out !== 'true') return 'this repository has no working tree';
  const head = await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  return head.ok ? null : 'this repository has no commit yet';
}

/** Top of the repository's checkout in one call; null where `whyNoWorktree` has a reason. */
async function topWithCommit(root: string): Promise<string | null> {
  const answer = await git(root, ['rev-parse', '--show-toplevel', 'HEAD^{commit}']);
  if (answer.ok) return realIfThere(answer.out.split('\n')[0] ?? '');
  if ((await whyNoWorktree(root)) !== null) return null;
  throw refused(`cannot make worktrees in ${root}: ${answer.text}`, 'see the words of git');
}

interface Addition {
  root: string;
  agentId: string;
  path: string;
  branch: string;
  base: string | undefined;
  all: readonly ListedWorktree[];
}

/** A checkout of a large repository takes its time. */
const addTimeoutMs = 300_000;

async function addWorktree({ root, agentId, path, branch, base, all }: Addition): Promise<void> {
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw conflict(`${path} is in the way: not a worktree of this repository`, 'move it elsewhere');
  }
  const user = all.find((one) => one.branch === branch);
  if (user) throw conflict(`${branch} is checked out in ${user.path}`, 'check out another branch there');
  const ref = `refs/heads/${branch}`;
  const before = await git(root, ['rev-parse', '--verify', '--quiet', ref]);
  // --no-track: tracking is written to the shared config, whose lock parallel starts would fight for (field report 55).
  const args = before.ok
    ? ['worktree', 'add', '--quiet', path, branch]
    : ['worktree', 'add', '--quiet', '--no-track', '-b', branch, path, base ?? 'HEAD'];
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await retryWhileLocked(`cannot make the worktree of ${agentId}`, async () => {
    const answer = await git(root, args, { timeoutMs: addTimeoutMs });
    if (!answer.ok && !before.ok) await dropNewBranch(root, ref);
    return answer;
  });
}

/** Git makes the branch before it fails. It is ours alone, so it goes; compare-and-delete, and never through the config. */
async function dropNewBranch(root: string, ref: string): Promise<void> {
  const made = await git(root, ['rev-parse', '--verify', '--quiet', ref]);
  if (!made.ok) return;
  const users = await listWorktrees(root).catch(() => null);
  if (users?.every((one) => `refs/heads/${one.branch}` !== ref)) await git(root, ['update-ref', '-d', ref, made.out]);
}

/**
 * The folder of a worktree on the books is gone: it gets its files back from its index, so that what was staged, its
 * branch and an unfinished rebase are still there. Pruning would forget them, and others' worktrees too.
 */
async function restoreIfMissing(root: string, path: string): Promise<void> {
  if (existsSync(join(path, '.git'))) return;
  if (existsSync(path) && readdirSync(path).length > 0) {
    throw conflict(`${path} has lost its .git file but is not empty`, 'move it elsewhere');
  }
  const gitDir = await adminFolder(root, path);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(join(path, '.git'), `gitdir: ${gitDir}\n`);
  if (!existsSync(join(gitDir, 'index'))) await gitOrRefuse(path, ['read-tree', 'HEAD'], `cannot restore ${path}`);
  await gitOrRefuse(path, ['checkout-index', '--all', '--quiet'], `cannot restore ${path}`, {
    timeoutMs: addTimeoutMs,
  });
}

async function adminFolder(root: string, path: string): Promise<string> {
  const common = await gitOrRefuse(root, ['rev-parse', '--path-format=absolute', '--git-common-dir'], 'no git folder');
  for (const name of readdirSync(join(common, 'worktrees'))) {
    const gitDir = join(common, 'worktrees', name);
    const pointer = join(gitDir, 'gitdir');
    if (existsSync(pointer) && realIfThere(dirname(readFileSync(pointer, 'utf8').trim())) === path) return gitDir;
  }
  throw refused(`git lists a worktree at ${path} but has no folder for it`, 'git worktree repair');
}

/** The agent must stand in its own tree, not by some accident in the main one. Answers the branch, null when detached. */
async function verify(path: string, mainTop: string, agentId: string): Promise<string | null> {
  const args = ['rev-parse', '--show-toplevel', '--symbolic-full-name', 'HEAD'];
  const [top = '', head = ''] = (await gitOrRefuse(path, args, `the worktree of ${agentId} is broken`)).split('\n');
  if (realIfThere(top) !== path || path === mainTop) {
    throw refused(`the worktree of ${agentId} is not at ${path} but ${top}`);
  }
  return head.startsWith('refs/heads/') ? head.slice('refs/heads/'.length) : null;
}
