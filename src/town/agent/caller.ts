/** Who calls: an agent's `gt` knows itself by its pane's environment, never by what the screen or tmux says. */
import type { AgentConfig } from '../../domain/config.ts';
import { refused } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { AgentRecord } from '../../domain/records.ts';
import { requireReadable } from '../../store/record.ts';
import type { Town } from '../context.ts';

export interface Caller {
  agent: AgentConfig;
  /** Null for an agent that was never started by the town. */
  record: AgentRecord | null;
}

/** A start records its run just after the pane exists; a very early call waits this long for it. */
const recordGraceMs = 2_000;

/**
 * The agent whose pane this is. Exit 3 outside a pane, for an agent this town does not have, and for a run that was
 * replaced: a predecessor that lives on must not finish its successor's work.
 */
export async function callerOf(town: Town): Promise<Caller> {
  const id = town.env['GT_AGENT_ID'];
  if (!id) throw refused("gt works inside an agent's pane only: GT_AGENT_ID is not set", 'people use gastown');
  const agent = isId('agent', id) ? town.agents.find((one) => one.agent_id === id) : undefined;
  if (!agent) {
    throw refused(`this town has no agent ${JSON.stringify(id.slice(0, 60))}`, 'GT_AGENT_ID does not belong here');
  }
  const record = await recordOf(town, id, town.env['GT_INSTANCE_ID'] ?? '');
  return { agent, record };
}

async function recordOf(town: Town, id: string, instance: string): Promise<AgentRecord | null> {
  for (const deadline = Date.now() + recordGraceMs; ; ) {
    const record = requireReadable(town.store.agents.place(id), town.store.agents.read(id));
    if (instance === '' || record?.instance_id === instance) return record;
    if (Date.now() > deadline) {
      throw refused(`this run of ${id} is not the present one`, 'stop here: nothing was changed');
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
