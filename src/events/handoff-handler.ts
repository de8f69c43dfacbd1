/** Shows a session the handoff that waits in its tree. Injecting reads only: what is armed stays armed (seed 002). */
import { dirname } from 'node:path';
import { shellWord } from '../domain/quote.ts';
import { handoffInjection } from '../town/handoff/inject.ts';
import type { EventHandler } from './handler.ts';

export const handoffHandler: EventHandler = {
  name: 'handoff',
  events: ['session_start'],
  priority: 20,
  enabled: ({ event }) => event.subagent === null,
  handle: ({ agent, event, stateDir, store, now }) => {
    const tree = agent.worktree ?? dirname(dirname(stateDir));
    const command = `${shellWord(`${store.paths.binDir}/gt`)} dissolve`;
    return { context: handoffInjection(tree, agent.role, event.source ?? 'startup', now, command) };
  },
};
