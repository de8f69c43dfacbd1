/** Tells a turn that failed because the conversation itself is broken: no retry helps, only a fresh session. It is kept for the row and the journal. */
import { isBrokenConversation } from '../../domain/handlers/failures.ts';
import { cleanLine } from '../../domain/text.ts';
import { toIso } from '../../domain/time.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { brokenSlot } from '../../town/handlers/broken.ts';
import { writeState } from '../../town/state.ts';
import type { EventHandler } from '../handler.ts';

export const thinkingBlockValidatorHandler: EventHandler = {
  name: 'thinking-block-validator',
  events: ['turn_failed'],
  priority: 40,
  enabled: ({ event }) => event.subagent === null && event.text !== null && isBrokenConversation(event.text),
  handle: async ({ event, store, agent, now }) => {
    const error = cleanLine(event.text ?? '').slice(0, 300);
    const at = toIso(now);
    await writeState(store, brokenSlot(store, event.session_id ?? ''), () => ({ error, at }), {
      waitMs: eventLockWaitMs,
    });
    const { agent_id } = agent;
    const message = `the conversation of ${agent_id} is broken, a retry will not help: ${error}`;
    store.journal.append({ at, kind: 'session.broken', by: agent_id, agent_id, message });
    return null;
  },
};
