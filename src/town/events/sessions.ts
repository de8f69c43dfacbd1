/** The one writer of session records: every change of a declared state, by an event or by the agent's own word. */
import { conflict, refused } from '../../domain/errors.ts';
import { type Declaration, declare, isCleanlyActive } from '../../domain/freshness.ts';
import type { AgentRecord, SessionRecord } from '../../domain/records.ts';
import { confirmFast, dropFast, makeFast } from '../../store/fast-marker.ts';
import type { LockOptions } from '../../store/lock.ts';
import { requireReadable, type Updated } from '../../store/record.ts';
import type { EventStore } from './store.ts';

/** Words of events that start Node even while the session is active; null: every event does. */
export type FastEvents = { slow: readonly string[] } | null;

/**
 * Changes the record of `sessionId` under its lock; `change` gets null for an absent one and answers null for "no
 * change". The fast marker follows within the same lock; without `fast` there is none afterwards.
 * Throws exit 3 when the lock stays held, exit 4 for a corrupt record; there is no marker then.
 */
export async function changeSession(
  store: EventStore,
  sessionId: string,
  change: (current: SessionRecord | null) => SessionRecord | null,
  fast: FastEvents,
  options?: LockOptions,
): Promise<Updated<SessionRecord>> {
  let agentId: string | null = null;
  try {
    const updated = await store.sessions.update(
      sessionId,
      (current) => {
        const next = change(current);
        const result = next ?? current;
        if (!result?.governed || result.agent_id === null) return next;
        agentId = result.agent_id;
        if (fast !== null && isSpared(store, result)) {
          const instance_id = result.instance_id ?? null;
          makeFast(store.paths, agentId, { instance_id, session_id: result.session_id, slow: fast.slow });
        } else {
          dropFast(store.paths, agentId);
        }
        return next;
      },
      options,
    );
    if (agentId !== null && fast !== null) {
      confirmFast(store.paths, agentId, { instance_id: updated.value?.instance_id ?? null, session_id: sessionId });
    }
    return updated;
  } catch (error) {
    if (agentId !== null) dropFast(store.paths, agentId);
    throw error;
  }
}

/** The first tool event activates a pending hook, so until then none may be spared. */
function isSpared(store: EventStore, session: SessionRecord): boolean {
  if (!isCleanlyActive(session) || session.agent_id === null) return false;
  const hook = store.hooks.read(session.agent_id);
  return hook.kind === 'absent' || (hook.kind === 'ok' && hook.value.status !== 'pending');
}

/** The session an agent's run is bound to, with its record; throws exit 3 where there is none, exit 4 for a corrupt one. */
export function boundSession(store: EventStore, agentId: string): { agent: AgentRecord; session: SessionRecord } {
  const agent = requireReadable(store.agents.place(agentId), store.agents.read(agentId));
  if (agent === null) throw refused(`${agentId} was never started here`, 'gastown up starts it');
  const none = refused(
    `no session of ${agentId} has reported itself yet`,
    'its events may be silent: gastown events verify',
  );
  if (agent.session_id === null) throw none;
  const session = requireReadable(store.sessions.place(agent.session_id), store.sessions.read(agent.session_id));
  if (session === null) throw none;
  return { agent, session };
}

/**
 * Records the agent's own word about its session (seed 003): `park`, `ask`, `propose`, `idle`. Answers the record as it
 * now is on disk. Throws exit 3 where no session is bound, exit 5 when the session is not governed.
 */
export async function declareState(
  store: EventStore,
  agentId: string,
  declaration: Declaration,
  now: number,
): Promise<SessionRecord> {
  const { session } = boundSession(store, agentId);
  const updated = await changeSession(
    store,
    session.session_id,
    (current) => {
      if (current === null || !current.governed) throw conflict(`the session of ${agentId} is not governed here`);
      return declare(current, declaration, now);
    },
    null,
  );
  return updated.value ?? session;
}
