/**
 * `handoff cycle`: ends an agent's session and begins a fresh one over its handoff (field report 47). The handoff is on
 * disk before anything is ended, and the new run resumes nothing: what the next session knows comes from the file.
 */
import { agentOf, type Town } from '../context.ts';
import { restartAgent } from '../start.ts';
import { armedIn } from './armed.ts';
import { writeHandoff } from './write.ts';

export interface Cycled {
  agent_id: string;
  tree: string;
  /** False: an armed one was there already. */
  wrote: boolean;
  detail: string;
}

/** Exit 3 when the town is down or the agent cannot be started; its handoff is armed all the same. */
export async function cycleAgent(
  town: Town,
  agentId: string,
  title: string | null,
  body: string | null,
): Promise<Cycled> {
  agentOf(town, agentId);
  const read = town.store.agents.read(agentId);
  const tree = (read.kind === 'ok' ? read.value.worktree : null) ?? town.root;
  const wrote = !armedIn(tree, town.clock()).armed;
  if (wrote) {
    const env = { PATH: town.env['PATH'], GT_STATE_DIR: town.stateDir };
    await writeHandoff({ cwd: tree, env, now: town.clock(), title, body, supersede: null, about: agentId });
  }
  const { detail } = await restartAgent(town, agentId, 'fresh');
  return { agent_id: agentId, tree, wrote, detail };
}
