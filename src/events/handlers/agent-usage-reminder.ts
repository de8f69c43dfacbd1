/** Says once a session that searches could be delegated, after several of them without a subagent (off unless configured). */
import { toolKindOf } from '../../domain/handlers/tools.ts';
import { checkedBy, flag, number, objectOf } from '../../domain/shape.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { handlerSlot, writeState } from '../../town/state.ts';
import { type EventHandler, optionOf } from '../handler.ts';

interface Usage {
  searches: number;
  delegated: number;
  reminded: boolean;
}
const shape = checkedBy<Usage>(objectOf({ searches: number, delegated: number, reminded: flag }));

export const agentUsageReminderHandler: EventHandler = {
  name: 'agent-usage-reminder',
  events: ['tool_end'],
  priority: 66,
  enabled: ({ event }) =>
    event.subagent === null && event.tool !== null && ['Web', 'Search', 'Agent'].includes(toolKindOf(event.tool.name)),
  handle: async (context) => {
    const { event, store } = context;
    const isAgent = event.tool !== null && toolKindOf(event.tool.name) === 'Agent';
    const after = optionOf(context, 'agent-usage-reminder', 'after', 8);
    let isDue = false;
    await writeState(
      store,
      handlerSlot(store, 'agent-usage-reminder', event.session_id ?? '', shape),
      (current) => {
        const { searches, delegated, reminded } = current ?? { searches: 0, delegated: 0, reminded: false };
        const next = { searches: searches + (isAgent ? 0 : 1), delegated: delegated + (isAgent ? 1 : 0), reminded };
        isDue = !reminded && next.delegated === 0 && next.searches >= after;
        return { ...next, reminded: reminded || isDue };
      },
      { waitMs: eventLockWaitMs },
    );
    return isDue
      ? {
          context: `[gastown] ${after} searches by yourself so far: a subagent could look and bring back only what matters.`,
        }
      : null;
  },
};
