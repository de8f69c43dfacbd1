/** `stop --remove-worktree`: the tree of a stopped agent goes, when nothing is lost with it (field report 57). */
import { removeWorktree } from '../git/remove-worktree.ts';
import { agentOf, type Town } from './context.ts';
import { note } from './note.ts';
import { paneOf } from './running.ts';

/** Answers one line. Exit 5 with every reason when the tree holds what nobody else has; `discard` loses it. */
export async function removeTree(town: Town, agentId: string, discard: boolean): Promise<string> {
  agentOf(town, agentId);
  const pane = await paneOf(town, agentId);
  const running = pane.answer === 'unknown' || (pane.answer === 'yes' && !pane.dead);
  if (!(await removeWorktree(town.root, agentId, { running, discard }))) return `${agentId} has no worktree`;
  await town.store.agents.update(agentId, (record) => record && { ...record, worktree: null, branch: null });
  note(town, 'worktree.removed', `the worktree of ${agentId} was removed`, { agent_id: agentId });
  return `the worktree of ${agentId} is removed`;
}
