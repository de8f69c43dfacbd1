/** Leaves word for a human who may not be looking; the deacon tells it, or drops it when they look after all. */
import { eventLockWaitMs } from '../../store/lock.ts';
import { leaveNotice } from '../../town/handlers/notices.ts';
import type { EventHandler, HandlerContext } from '../handler.ts';

export const backgroundNotificationHandler: EventHandler = {
  name: 'background-notification',
  events: ['permission', 'waiting', 'turn_failed'],
  priority: 91,
  enabled: ({ event }) => event.subagent === null,
  handle: async (context) => {
    const { store, agent, now } = context;
    const { kind, text } = wordsFor(context);
    await leaveNotice(store, { agent_id: agent.agent_id, kind, text }, now, { waitMs: eventLockWaitMs });
    return null;
  },
};

function wordsFor({ event, agent: { agent_id } }: HandlerContext): { kind: string; text: string } {
  if (event.kind === 'turn_failed') {
    return { kind: 'failed', text: `${agent_id}: its turn failed: ${event.text ?? 'no reason was given'}` };
  }
  if (event.kind === 'waiting') return { kind: 'waiting', text: `${agent_id} waits for you` };
  const question = event.tool?.question;
  if (question != null) return { kind: 'permission', text: `${agent_id} asks: ${question}` };
  return {
    kind: 'permission',
    text: `${agent_id} asks for permission${event.tool === null ? '' : `: ${event.tool.name}`}`,
  };
}
