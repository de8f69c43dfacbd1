/** Injects the prime where a session begins, so that nothing has to be typed (GUPP's hook_injection, seed 001). */
import type { PrimeContext } from '../domain/prime.ts';
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
    const { primeAnswer } = await import('./prime-answer.ts');
    return { context: await primeAnswer(context, source) };
  },
};

const hadSession = ({ agent }: HandlerContext): boolean => agent.previous_sessions.length > 0;
