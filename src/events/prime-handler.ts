/** Injects the prime where a session begins, so that nothing has to be typed (GUPP's hook_injection, seed 001). */
import { dirname } from 'node:path';
import { type PrimeContext, renderPrime } from '../domain/prime.ts';
import { toIso } from '../domain/time.ts';
import { eventLockWaitMs } from '../store/lock.ts';
import { openTown } from '../town/context.ts';
import { primeContext } from '../town/prime-context.ts';
import type { EventHandler, HandlerContext } from './handler.ts';

const sources: readonly PrimeContext['source'][] = ['startup', 'resume', 'clear', 'compact'];

export const primeHandler: EventHandler = {
  name: 'prime',
  events: ['session_start', 'prompt'],
  priority: 10,
  // A prompt only where the session's beginning was never announced (field report 35).
  enabled: ({ event, bound }) => event.subagent === null && (event.kind === 'session_start' || bound),
  handle: async (context) => {
    const source = sources.find((one) => one === context.event.source) ?? (hadSession(context) ? 'clear' : 'startup');
    // By every other strategy a start is primed by its first prompt; a conversation that was emptied is not.
    if (source === 'startup' && context.agent.strategy !== 'hook_injection') return null;
    const env = { ...context.env, GT_STATE_DIR: context.stateDir };
    const town = await openTown({ cwd: dirname(dirname(context.stateDir)), env, clock: () => context.now });
    const text = renderPrime(primeContext(town, context.agent.agent_id, source));
    const at = toIso(context.now);
    await context.store.agents.update(context.agent.agent_id, (agent) => agent && { ...agent, primed_at: at }, {
      waitMs: eventLockWaitMs,
    });
    return { context: text };
  },
};

const hadSession = ({ agent }: HandlerContext): boolean => agent.previous_sessions.length > 0;
