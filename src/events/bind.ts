/**
 * Which session an event belongs to, and whether that session is the agent's own. A session belongs to the agent when
 * its beginning came from that pane's own program; `clear`, `compact`, `resume` and a changed id re-bind it. A second
 * start while the first lives is a nested run: recorded as not governed, and never touched (DESIGN section 6).
 */
import type { RuntimeEvent } from '../domain/event.ts';
import { newSession, nextSession } from '../domain/freshness.ts';
import type { AgentRecord, SessionRecord } from '../domain/records.ts';
import { lookAt, ownIdentity } from '../store/process-identity.ts';
import { requireReadable } from '../store/record.ts';
import type { EventStore } from '../town/events/store.ts';
import type { Ancestry, Owner } from './owner.ts';

export type Belonging =
  /** The agent's own session; `bind` is true where this event has to bind it first. */
  | { kind: 'own'; sessionId: string; record: SessionRecord | null; bind: boolean }
  /** Another run's: `record` tells whether that is on record already. */
  | { kind: 'nested'; sessionId: string; recorded: boolean }
  | { kind: 'none'; why: string };

/** `ancestry` is only asked where a process must tell. Throws exit 4 for a corrupt session record. */
export function belongs(
  store: EventStore,
  agent: AgentRecord,
  event: RuntimeEvent,
  ancestry: () => Ancestry,
): Belonging {
  const id = event.session_id;
  if (id === null) return { kind: 'none', why: 'no session id in the payload' };
  const record = readSession(store, id);
  if (record !== null) {
    if (record.agent_id !== null && record.agent_id !== agent.agent_id) {
      return { kind: 'none', why: `session of ${record.agent_id}` };
    }
    if (!record.governed) return { kind: 'nested', sessionId: id, recorded: true };
  }
  if (id === agent.session_id) return { kind: 'own', sessionId: id, record, bind: needsBinding(agent, record, event) };

  const living = livingSession(store, agent);
  const begins = event.kind === 'session_start' && event.subagent === null;
  const speaks = event.kind === 'prompt' && event.subagent === null;
  if (begins || speaks) {
    const nested = living !== null && isNested(living, event, ancestry);
    return nested
      ? { kind: 'nested', sessionId: id, recorded: false }
      : { kind: 'own', sessionId: id, record, bind: true };
  }
  // An older session of this agent, or one whose beginning was never heard of. An end begins nothing: Codex ends at its
  // exit every session it had.
  const mayBind = living === null && event.subagent === null && event.kind !== 'session_end';
  if (record !== null) return { kind: 'own', sessionId: id, record, bind: mayBind };
  if (mayBind) return { kind: 'own', sessionId: id, record, bind: true };
  return { kind: 'none', why: 'unknown session' };
}

const needsBinding = (agent: AgentRecord, record: SessionRecord | null, event: RuntimeEvent): boolean =>
  record === null || event.kind === 'session_start' || (record.instance_id ?? null) !== agent.instance_id;

/** The session bound in the agent's present run, while nothing says that it ended. */
function livingSession(store: EventStore, agent: AgentRecord): SessionRecord | null {
  if (agent.session_id === null) return null;
  const bound = readSession(store, agent.session_id);
  if (bound === null || !bound.governed || bound.ended_at) return null;
  if ((bound.instance_id ?? null) !== agent.instance_id) return null;
  return bound.owner && isGone(bound.owner) ? null : bound;
}

/** The process tree is the better witness; where it says nothing against it, a bare second start is a nested run. */
function isNested(living: SessionRecord, event: RuntimeEvent, ancestry: () => Ancestry): boolean {
  const { owner, above } = ancestry();
  if (living.owner && owner && living.owner.pid !== owner.pid && above.includes(living.owner.pid)) return true;
  return event.kind === 'session_start' && event.source === 'startup';
}

const isGone = (owner: Owner): boolean => lookAt({ ...owner, hostname: ownIdentity().hostname }) === 'gone';

const readSession = (store: EventStore, id: string): SessionRecord | null =>
  requireReadable(store.sessions.place(id), store.sessions.read(id));

/** The session record as binding leaves it: governed, of this run, with the process whose events it takes. */
export function boundRecord(
  current: SessionRecord | null,
  sessionId: string,
  agent: AgentRecord,
  event: RuntimeEvent,
  owner: Owner | null,
  now: number,
): SessionRecord {
  const record = current ?? newSession(sessionId, agent.agent_id, true, now);
  const settled = nextSession(record, event, now) ?? record;
  return {
    ...settled,
    agent_id: agent.agent_id,
    instance_id: agent.instance_id,
    owner: owner && { ...owner },
    ended_at: null,
  };
}

/** The agent's record with the session bound; earlier ids stay in its history (field report 35). */
export function withSession(agent: AgentRecord, sessionId: string, at: string): AgentRecord {
  const earlier = agent.session_id;
  const changed = earlier !== null && earlier !== sessionId;
  return {
    ...agent,
    session_id: sessionId,
    previous_sessions: changed
      ? [...agent.previous_sessions.filter((id) => id !== sessionId && id !== earlier), earlier].slice(-20)
      : agent.previous_sessions,
    first_event_at: agent.first_event_at ?? at,
    ready_at: agent.ready_at ?? at,
  };
}
