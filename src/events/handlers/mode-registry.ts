/**
 * The one authority on modes, as events see it: a word of cancelling ends them before the model reads it, and a session
 * that took another id keeps them.
 */
import type { EventAnswer } from '../../domain/event.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { hasModes } from '../../town/modes/has-modes.ts';
import type { EventHandler, HandlerContext } from '../handler.ts';
import { triggerOf } from './start-by-prompt.ts';

const lock = { waitMs: eventLockWaitMs };

export const modeRegistryHandler: EventHandler = {
  name: 'mode-registry',
  events: ['session_start', 'prompt'],
  priority: 2,
  enabled: (context) => context.event.subagent === null && (context.bound || triggerOf(context)?.kind === 'cancel'),
  handle: async (context) => {
    await follow(context);
    return cancel(context);
  },
};

/** A start from nothing is another conversation: only what goes on takes its modes along. */
async function follow({ event, agent, store, bound }: HandlerContext): Promise<void> {
  const to = event.session_id;
  if (!bound || to === null) return;
  const earlier = event.source === 'startup' ? null : agent.previous_sessions.at(-1);
  // Before a session of this run was known, its modes lay under the run's own id.
  for (const from of [earlier, agent.instance_id]) {
    if (!from || from === to || !hasModes(store.paths, from)) continue;
    const { moveModes } = await import('../../town/modes/follow.ts');
    await moveModes(store, from, { sessionId: to, instanceId: agent.instance_id }, lock);
  }
}

async function cancel(context: HandlerContext): Promise<EventAnswer | null> {
  const { event, agent, store, now } = context;
  const trigger = triggerOf(context);
  if (trigger?.kind !== 'cancel') return null;
  const { cancelModes } = await import('../../town/modes/cancel.ts');
  const { cancelled } = await cancelModes(
    store,
    { agentId: agent.agent_id, sessionId: event.session_id, mode: trigger.mode, by: agent.agent_id },
    now,
    lock,
  );
  const names = cancelled.map(({ mode }) => mode).join(', ');
  return {
    context:
      names === ''
        ? '[gastown] No mode is active in this session.'
        : `[gastown] Cancelled by the human: ${names}. Stop that work.`,
  };
}
