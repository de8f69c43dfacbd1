/** `gt park | ask | propose | idle`: the agent says how it stands (seed 003), so that nobody has to guess. */
import { usage } from '../../domain/errors.ts';
import { type Declaration, declare, newSession } from '../../domain/freshness.ts';
import type { SessionRecord } from '../../domain/records.ts';
import { cleanLine } from '../../domain/text.ts';
import { toIso } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { changeSession, declareState } from '../events/sessions.ts';
import { note } from '../note.ts';
import { type Caller, callerOf } from './caller.ts';

export type DeclarationKind = Declaration['kind'];

/** `words` may be empty for park and idle; a question or a proposal needs them. Answers the record as it is on disk. */
export async function declareOwn(town: Town, kind: DeclarationKind, words: string): Promise<SessionRecord> {
  const caller = await callerOf(town);
  const id = caller.agent.agent_id;
  const declaration = toDeclaration(kind, cleanLine(words));
  const now = town.clock();
  const session = hasSession(town, caller)
    ? await declareState(town.store, id, declaration, now)
    : await declareUnheard(town, caller, declaration);
  const said = session.proposal ?? session.note;
  note(town, `agent.${kind}`, `${id} is ${session.status}${said ? `: ${said}` : ''}`, { by: id, agent_id: id });
  return session;
}

function toDeclaration(kind: DeclarationKind, words: string): Declaration {
  switch (kind) {
    case 'ask':
      if (words === '') throw usage('what is the question?', 'gt ask "…"');
      return { kind, note: words };
    case 'propose':
      if (words === '') throw usage('what do you propose?', 'gt propose "ready to merge"');
      return { kind, proposal: words, note: null };
    default:
      return { kind, note: words === '' ? null : words };
  }
}

function hasSession(town: Town, { record }: Caller): boolean {
  return record?.session_id != null && town.store.sessions.read(record.session_id).kind !== 'absent';
}

/**
 * A runtime whose events never reported a session still may ask. Its record carries no run, so that an event that does
 * come binds the session anew; until then the agent's own `gt` calls end what it declared.
 */
async function declareUnheard(town: Town, { agent, record }: Caller, declaration: Declaration): Promise<SessionRecord> {
  const now = town.clock();
  const id = record?.session_id ?? record?.instance_id ?? `unheard-${agent.agent_id}`;
  const { value } = await changeSession(
    town.store,
    id,
    (current) => declare(current ?? newSession(id, agent.agent_id, true, now), declaration, now),
    null,
  );
  if (value === null) throw new Error('a declared session is never absent');
  await town.store.agents.update(agent.agent_id, (now) =>
    now === null || now.session_id !== null ? null : { ...now, session_id: id },
  );
  return value;
}

/** The agent works again: ends a declaration of a session that no event will end. */
export async function workAgain(town: Town, { record }: Caller): Promise<void> {
  if (record?.session_id == null) return;
  const read = town.store.sessions.read(record.session_id);
  if (read.kind !== 'ok' || read.value.instance_id != null || read.value.status === 'active') return;
  await changeSession(
    town.store,
    record.session_id,
    (current) =>
      current === null
        ? null
        : { ...current, status: 'active', note: null, proposal: null, source: 'gt', updated_at: toIso(town.clock()) },
    null,
  );
}
