/** The worktrees that a repository has on its books. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { git } from './git.ts';
import { retryWhileLocked } from './lock-retry.ts';

export interface ListedWorktree {
  /** Real path; of a folder that is gone, as real as it can be told. */
  path: string;
  /** Commit it stands on; null before the first. */
  head: string | null;
  /** Branch without `refs/heads/`; null when detached. */
  branch: string | null;
  /** Why it is locked; null when it is not. */
  locked: string | null;
}

/** The main worktree first, as git has it. */
export async function listWorktrees(root: string): Promise<ListedWorktree[]> {
  const out = await retryWhileLocked('cannot list the worktrees', () => git(root, ['worktree', 'list', '--porcelain']));
  const worktrees: ListedWorktree[] = [];
  for (const line of out.split('\n')) {
    const [, key = '', value = ''] = /^(\S+)(?: (.*))?$/.exec(line) ?? [];
    if (key === 'worktree') worktrees.push({ path: realIfThere(value), head: null, branch: null, locked: null });
    const last = worktrees.at(-1);
    if (last === undefined) continue;
    if (key === 'HEAD' && !/^0+$/.test(value)) last.head = value;
    if (key === 'branch') last.branch = value.replace(/^refs\/heads\//, '');
    if (key === 'locked') last.locked = value === '' ? 'no reason given' : value;
  }
  return worktrees;
}

/** The same folder has one name, whether or not it is there at the moment. */
export function realIfThere(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realIfThere(parent), basename(path));
  }
}
