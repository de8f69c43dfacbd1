/** Taking a worktree away, only when nothing can be lost with it (field report 57). */
import { readdirSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { conflict } from '../domain/errors.ts';
import { parseId } from '../domain/ids.ts';
import { git } from './git.ts';
import { retryWhileLocked } from './lock-retry.ts';
import { listWorktrees, realIfThere } from './worktree-list.ts';
import { type WorktreeState, worktreeState } from './worktree-state.ts';

export interface Removal {
  /** Whether the agent's program runs, as far as the caller knows. */
  running: boolean;
  /** Lose whatever is only there. A running agent and a locked worktree stay even so. */
  discard?: boolean;
  /** Its branch stays whatever it holds, so that commits are no reason to keep the tree. */
  keepBranch?: true;
}

/**
 * Removes the agent's worktree; false when there was none. Throws exit 5 listing every reason that speaks against it,
 * with nothing changed, and exit 3 when git does not answer. Its branch goes too when its commits are all elsewhere.
 */
export async function removeWorktree(
  root: string,
  agentId: string,
  { running, discard = false, keepBranch }: Removal,
): Promise<boolean> {
  const path = join(realIfThere(root), '.chipset', 'worktrees', parseId('agent', agentId));
  if (!(await listWorktrees(root)).some((one) => one.path === path)) return false;
  const state = await worktreeState(path);
  const firm = [...(running ? [`${agentId} runs`] : []), ...programsIn(path), ...lockReason(state)];
  const reasons = discard ? firm : [...firm, ...lossesOf(keepBranch ? { ...state, unpushed: 0, stashes: 0 } : state)];
  if (reasons.length > 0) {
    const next = firm.length > 0 ? 'stop it or unlock it first' : 'commit and push, or discard it explicitly';
    throw conflict(`the worktree of ${agentId} is kept: ${reasons.join('; ')}`, next);
  }
  // Git itself refuses every worktree with initialised submodules unless forced; the checks above stand in for its own.
  await retryWhileLocked(`cannot remove the worktree of ${agentId}`, () =>
    git(root, ['worktree', 'remove', '--force', path], { timeoutMs: 300_000 }),
  );
  const isAgents = state.branch?.startsWith('gastown/') || state.branch?.startsWith('polecat/');
  if (!keepBranch && isAgents && state.unpushed === 0 && state.head !== null) {
    await git(root, ['update-ref', '-d', `refs/heads/${state.branch}`, state.head]);
  }
  return true;
}

/** What only this tree has, in words; empty when it can go. */
function lossesOf(state: WorktreeState): string[] {
  const reasons: string[] = [];
  const list = (what: string, paths: readonly string[]): void => {
    if (paths.length > 0) reasons.push(`${what}: ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''}`);
  };
  list('modified', state.modified);
  list('untracked', state.untracked);
  list('changes in a submodule', state.inSubmodules);
  list('ignored files', state.ignored);
  if (state.unpushed > 0) reasons.push(`${state.unpushed} unpushed ${state.unpushed === 1 ? 'commit' : 'commits'}`);
  if (state.stashes > 0) reasons.push(`${state.stashes} ${state.stashes === 1 ? 'stash' : 'stashes'}`);
  if (state.unfinished !== null) reasons.push(`${state.unfinished} is under way`);
  return reasons;
}

const lockReason = ({ locked }: WorktreeState): string[] => (locked === null ? [] : [`locked: ${locked}`]);

/** Programs that stand in the tree, where the system tells (Linux); elsewhere the caller's word has to do. */
function programsIn(path: string): string[] {
  if (process.platform !== 'linux') return [];
  const inside = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isWithin(cwdOf(name), path));
  return inside.length === 0 ? [] : [`process ${inside.slice(0, 3).join(', ')} runs in it`];
}

const isWithin = (folder: string | null, path: string): boolean =>
  folder === path || folder?.startsWith(path + sep) === true;

function cwdOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}
