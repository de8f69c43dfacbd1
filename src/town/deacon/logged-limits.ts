/** Usage limits that a runtime only writes down: its log is read once its agent has been quiet, before anyone nudges it. */
import { parseTime, toIso } from '../../domain/time.ts';
import { scaled, type Town } from '../context.ts';
import { changeSession } from '../events/sessions.ts';
import { openEventStore } from '../events/store.ts';
import { type AgentFacts, runtimeFor } from '../facts.ts';
import { note } from '../note.ts';
import { noteTrouble } from './carry-out.ts';

/** So long without a sign, and so long between two looks. */
const quietSeconds = 10;

/** Answers a look at those that are due; what it finds goes into the session's record, as an event would have it. */
export function watchLogs(): (town: Town, agents: readonly AgentFacts[]) => Promise<void> {
  const lookedAt = new Map<string, number>();
  return async (town, agents) => {
    const now = town.clock();
    const due = agents.filter(
      (facts) => isQuiet(town, facts, now) && now - (lookedAt.get(facts.config.agent_id) ?? 0) >= quietMs(town),
    );
    for (const { config } of due) lookedAt.set(config.agent_id, now);
    await Promise.all(
      due.map((facts) => look(town, facts, now).catch((error) => noteTrouble(town, facts.config.agent_id, error))),
    );
  };
}

const quietMs = (town: Town): number => Math.max(1_000, scaled(town, quietSeconds));

function isQuiet(town: Town, { config, state }: AgentFacts, now: number): boolean {
  const { session, heartbeat, probe } = state;
  if (session === null || session.status !== 'active' || session.limit || probe.answer !== 'yes' || probe.dead)
    return false;
  const last = Math.max(heartbeat.event?.at ?? 0, heartbeat.tool?.at ?? 0, parseTime(session.updated_at) ?? 0);
  return now - last >= quietMs(town) && runtimeFor(town, config).loggedLimit !== undefined;
}

async function look(town: Town, { config, state: { session } }: AgentFacts, now: number): Promise<void> {
  if (session === null) return;
  const env = { ...town.env, ...config.env };
  const told = await runtimeFor(town, config).loggedLimit?.(session.session_id, env, now);
  if (!told || told.at < (parseTime(session.updated_at) ?? 0)) return;
  const limit = { at: toIso(told.at), until: told.until === null ? null : toIso(told.until), line: told.line };
  const { changed } = await changeSession(
    openEventStore(town.stateDir),
    session.session_id,
    // A prompt that came meanwhile began another turn.
    (current) =>
      current?.updated_at === session.updated_at && current.status === 'active'
        ? { ...current, status: 'error', note: told.line, limit, updated_at: toIso(now), source: 'log' }
        : null,
    null,
  );
  if (changed)
    note(town, 'limit.logged', `${config.agent_id}: ${told.line}`, { by: 'deacon', agent_id: config.agent_id });
}
