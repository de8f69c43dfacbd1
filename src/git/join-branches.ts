/**
 * Work of several branches brought together: what each changed, and merges in a worktree of their own. A merge that does
 * not go through is taken back whole; nothing is ever forced, and no other tree is touched.
 */
import { refused } from '../domain/errors.ts';
import { git, gitOrRefuse } from './git.ts';

export type Merge = { kind: 'merged' | 'contained' } | { kind: 'conflict'; files: string[] };

/** The commit that a tree or a branch stands on; null where there is none. */
export async function commitOf(cwd: string, name = 'HEAD'): Promise<string | null> {
  const answer = await git(cwd, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  return answer.ok ? answer.out : null;
}

/** Throws exit 3 where git does not tell. */
export async function isContained(cwd: string, commit: string, within: string): Promise<boolean> {
  const answer = await git(cwd, ['merge-base', '--is-ancestor', commit, within]);
  if (answer.ok) return true;
  if (answer.code === 1) return false;
  throw refused(
    `cannot compare ${commit.slice(0, 12)} with ${within.slice(0, 12)}: ${answer.text}`,
    'see the words of git',
  );
}

/**
 * Files that `commit` has other than where it left the nearer of `bases` (a branch that took in a later state of the main
 * one did not change that). Relative to `cwd`, those above it with `..`; a moved file is two. Throws exit 3.
 */
export async function changedFiles(cwd: string, commit: string, bases: readonly string[]): Promise<string[]> {
  const what = `cannot tell what ${commit.slice(0, 12)} changed`;
  let nearest: string | null = null;
  for (const base of bases) {
    const found = await git(cwd, ['merge-base', base, commit]);
    if (!found.ok) continue;
    if (nearest === null || (await isContained(cwd, nearest, found.out))) nearest = found.out;
  }
  const args = ['diff', '--name-only', '--no-renames', '-z', ...(nearest === null ? [emptyTree] : [nearest]), commit];
  const names = (await gitOrRefuse(cwd, args, what)).split('\0').filter((name) => name !== '');
  const prefix = await gitOrRefuse(cwd, ['rev-parse', '--show-prefix'], what);
  return names.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : `../${name}`));
}

/** Git's name of a tree without files, for a history that has nothing in common with ours. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Moves the branch of a clean tree to a later commit; throws exit 3 with git's words where that is not straight ahead. */
export async function fastForward(tree: string, commit: string, what: string): Promise<void> {
  await gitOrRefuse(tree, ['merge', '--ff-only', '--quiet', commit], what, { timeoutMs: mergeTimeoutMs });
}

const mergeTimeoutMs = 300_000;

/** Merges into the branch of `tree`, which has to be clean. Throws exit 3 with git's words, the tree as it was before. */
export async function mergeInto(tree: string, commit: string, message: string): Promise<Merge> {
  if (await isContained(tree, commit, 'HEAD')) return { kind: 'contained' };
  // Nobody is there to unlock a key or to name himself.
  const who = (await git(tree, ['config', 'user.email'])).ok
    ? []
    : ['-c', 'user.name=gastown', '-c', 'user.email=gastown@localhost'];
  const args = [
    ...who,
    'merge',
    '--no-ff',
    '--no-gpg-sign',
    '--no-rerere-autoupdate',
    '--quiet',
    '-m',
    message,
    commit,
  ];
  const merged = await git(tree, args, { timeoutMs: mergeTimeoutMs });
  if (merged.ok) return { kind: 'merged' };
  const unmerged = await git(tree, ['diff', '--name-only', '--diff-filter=U', '-z']);
  const files = unmerged.ok ? unmerged.out.split('\0').filter((name) => name !== '') : [];
  if ((await commitOf(tree, 'MERGE_HEAD')) !== null) {
    await gitOrRefuse(tree, ['merge', '--abort'], `a merge in ${tree} cannot be taken back`);
  }
  if (files.length > 0) return { kind: 'conflict', files };
  throw refused(`cannot merge into ${tree}: ${merged.text}`, 'see the words of git');
}
