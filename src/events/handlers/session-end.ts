/** Writes down that a session ended, and returns: a runtime waits for this event a second and a half. The deacon does the rest. */
import { eventLockWaitMs } from '../../store/lock.ts';
import { noteEnd } from '../../town/handlers/ended-sessions.ts';
import type { EventHandler } from '../handler.ts';

export const sessionEndHandler: EventHandler = {
  name: 'session-end',
  events: ['session_end'],
  priority: 90,
  enabled: ({ event }) => event.subagent === null && event.session_id !== null,
  handle: async ({ event, store, agent, now }) => {
    await noteEnd(
      store,
      { session_id: event.session_id ?? '', agent_id: agent.agent_id, reason: event.source ?? 'other' },
      now,
      { waitMs: eventLockWaitMs },
    );
    return null;
  },
};
