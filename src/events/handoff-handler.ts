/** Shows an armed handoff to the session that begins over it (seed 002): data, never consumed, not for narrow workers. */
import { dirname, join } from 'node:path';
import { shellWord } from '../domain/quote.ts';
import { handoffInjection } from '../town/handoff/inject.ts';
import type { EventHandler } from './handler.ts';

export const handoffHandler: EventHandler = {
  name: 'handoff',
  events: ['session_start', 'prompt'],
  // After the prime: who one is comes before what a predecessor says.
  priority: 20,
  // A prompt only where the session's beginning was never announced (field report 35).
  enabled: ({ event, bound }) => event.subagent === null && (event.kind === 'session_start' || bound),
  handle: ({ agent, event, stateDir, now }) => {
    const tree = agent.worktree ?? dirname(dirname(stateDir));
    const command = `${shellWord(join(dirname(stateDir), 'bin', 'gt'))} dissolve`;
    const text = handoffInjection(tree, agent.role, event.source ?? 'startup', now, command);
    return text === null ? null : { context: text };
  },
};
