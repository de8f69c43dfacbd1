/** What an agent's tree holds that nobody else has, in words for the agent and the operator. */
import { errorText } from '../../domain/errors.ts';
import { uncommittedSummary } from '../../git/worktree-state.ts';
import type { Town } from '../context.ts';
import type { Caller } from './caller.ts';

/** Looking must never keep work from being finished: a tree that cannot be read is one more line. */
export async function leftInTree(town: Town, { record }: Caller): Promise<string[]> {
  const cwd = record?.worktree ?? town.root;
  try {
    const tree = await uncommittedSummary(cwd);
    if (tree === null) return [];
    const on = tree.branch === null ? 'a detached head' : tree.branch;
    return [
      ...(tree.uncommitted > 0 ? [`${paths(tree.uncommitted)} not committed in ${cwd}`] : []),
      ...(tree.unpushed > 0 ? [`${commits(tree.unpushed)} on ${on} neither pushed nor merged`] : []),
    ];
  } catch (error) {
    return [`cannot tell what is uncommitted in ${cwd}: ${errorText(error)}`];
  }
}

const paths = (count: number): string => (count === 1 ? '1 changed file is' : `${count} changed files are`);
const commits = (count: number): string => (count === 1 ? '1 commit is' : `${count} commits are`);
