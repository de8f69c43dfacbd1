/** The operator's own interrupt on the session's record: Claude has no event for it, and would be taken for busy. */
import { eventOf } from '../../domain/event.ts';
import { nextSession } from '../../domain/freshness.ts';
import { requireReadable } from '../../store/record.ts';
import { changeSession } from './sessions.ts';
import type { EventStore } from './store.ts';

/**
 * For an agent whose screen shows that it rests. A declaration stands, as it does where the runtime tells of the
 * interrupt itself; no session, or one that is not governed, is left alone. Throws as `changeSession` does.
 */
export async function recordInterrupt(store: EventStore, agentId: string, now: number): Promise<void> {
  const agent = requireReadable(store.agents.place(agentId), store.agents.read(agentId));
  if (agent?.session_id == null) return;
  const event = eventOf({ kind: 'interrupt', name: 'interrupt' });
  await changeSession(store, agent.session_id, (current) => nextSession(current, event, now), null);
}
