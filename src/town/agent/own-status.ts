/** `gt status`: what the board shows of the caller, so that an agent can see itself as the operator does. */
import type { AgentStatus } from '../../domain/status.ts';
import type { Town } from '../context.ts';
import { readStatus } from '../status.ts';
import { callerOf } from './caller.ts';

export async function ownStatus(town: Town): Promise<AgentStatus> {
  const { agent } = await callerOf(town);
  const { agents } = await readStatus(town);
  const own = agents.find(({ agent_id }) => agent_id === agent.agent_id);
  if (!own) throw new Error(`${agent.agent_id} is configured and has no status`);
  return own;
}
