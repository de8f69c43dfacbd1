/** Holds each role to what it may write: denied before it happens, with the reason and who does it instead; every case is on record. */

import { dirname } from 'node:path';
import { filesOf, toolKindOf } from '../../domain/handlers/tools.ts';
import { whyNotWrite } from '../../domain/handlers/write-policy.ts';
import { toIso } from '../../domain/time.ts';
import { readGuard } from '../../town/handlers/file-guards.ts';
import { realPathOf } from '../../town/handlers/real-path.ts';
import { type EventHandler, type HandlerContext, optionOf, treeOf } from '../handler.ts';

const name = 'omc-orchestrator';

export const omcOrchestratorHandler: EventHandler = {
  name,
  events: ['tool_start'],
  priority: 11,
  enabled: ({ event }) => event.tool !== null && toolKindOf(event.tool.name) === 'Edit',
  handle: (context) => {
    const against = firstAgainst(context);
    if (against === null) return null;
    const { agent, store, now } = context;
    const { agent_id } = agent;
    const isDenied = optionOf(context, name, 'enforce', 'strict') === 'strict';
    const message = `${agent_id} (${agent.role}) ${isDenied ? 'was kept from writing' : 'writes'} ${against.path}: ${against.why}`;
    store.journal.append({ at: toIso(now), kind: 'policy.write', by: agent_id, agent_id, message });
    return isDenied ? { block: `[gastown] ${against.path} is not for you to write: ${against.why}.` } : null;
  },
};

function firstAgainst(context: HandlerContext): { path: string; why: string } | null {
  const { event, agent, stateDir, store } = context;
  const tree = treeOf(context);
  const guard = readGuard(store, agent.agent_id);
  const place = {
    role: agent.role,
    agentId: agent.agent_id,
    root: realPathOf(dirname(dirname(stateDir)), '/'),
    tree: realPathOf(tree, '/'),
    allow: optionOf<readonly string[]>(context, name, 'allow', []),
    joins: guard?.coordinator === agent.agent_id ? guard.joined : null,
  };
  for (const file of event.tool === null ? [] : filesOf(event.tool)) {
    const why = whyNotWrite(place, realPathOf(file, event.cwd ?? tree));
    if (why !== null) return { path: file, why };
  }
  return null;
}
