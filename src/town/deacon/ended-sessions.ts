/** Finishes what sessions left when they ended (seed 004, session-end), and clears what no session owns any more (set-up's maintenance). */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { optionsFrom } from '../../domain/handlers/in-force.ts';
import { isId } from '../../domain/ids.ts';
import { parseTime } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { type EndedSession, endedSessions, forgetEnds } from '../handlers/ended-sessions.ts';
import { pruneNotes } from '../handlers/notepad.ts';
import { subagentsOf } from '../handlers/subagents.ts';
import { note } from '../note.ts';

/** Sums up each in the journal. Answers how many there were. */
export async function finishSessions(town: Town): Promise<number> {
  const ended = endedSessions(town.store);
  if (ended.length === 0) return 0;
  for (const one of ended) {
    note(town, 'session.ended', summaryOf(town, one), { by: 'deacon', agent_id: one.agent_id });
    if (!boundSessions(town).has(one.session_id)) dropStateOf(town, one.session_id);
  }
  await forgetEnds(town.store, ended);
  return ended.length;
}

function summaryOf(town: Town, { session_id, agent_id, reason, at }: EndedSession): string {
  const agent = town.store.agents.read(agent_id);
  const started =
    agent.kind === 'ok' && agent.value.session_id === session_id ? parseTime(agent.value.started_at) : null;
  const minutes = started === null ? null : Math.round(((parseTime(at) ?? started) - started) / 60_000);
  const { total, agents } = subagentsOf(town.store, session_id);
  const lost = agents.filter(({ outcome }) => outcome === 'lost').length;
  return [
    `session ${session_id} of ${agent_id} ended (${reason})`,
    minutes === null ? '' : `after ${minutes} min`,
    total === 0 ? '' : `${total} subagents${lost === 0 ? '' : `, ${lost} of them lost`}`,
  ]
    .filter(Boolean)
    .join(', ');
}

const boundSessions = (town: Town): Set<string> =>
  new Set(
    [...town.store.agents.readAll().values()].flatMap((read) =>
      read.kind === 'ok' && read.value.session_id !== null ? [read.value.session_id] : [],
    ),
  );

/** What handlers kept of one session. */
function dropStateOf(town: Town, sessionId: string): void {
  if (!isId('session', sessionId)) return;
  for (const folder of foldersOf(town)) rmSync(join(folder, `${sessionId}.json`), { force: true });
}

const staleMs = 7 * 86_400_000;
/** A request for permission never waits longer. */
const requestMs = 60_000;

/** Never by age alone what a living agent's session owns. Answers how many files went. */
export async function pruneHandlers(town: Town): Promise<number> {
  const now = town.clock();
  const bound = boundSessions(town);
  let gone = 0;
  for (const folder of foldersOf(town)) {
    const limitMs = folder.endsWith('permission-handler') ? requestMs : staleMs;
    for (const name of namesIn(folder).filter((one) => one.endsWith('.json'))) {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined || bound.has(name.slice(0, -5)) || now - stat.mtimeMs < limitMs) continue;
      rmSync(path, { force: true });
      gone += 1;
    }
  }
  const days = optionsFrom(town.config.handlers ?? {}, 'notepad')['days'];
  return gone + (await pruneNotes(town.store, Number(days ?? 7), now));
}

const foldersOf = ({ store }: Town): string[] =>
  namesIn(store.paths.handlersDir)
    .filter((name) => isId('agent', name))
    .map((name) => join(store.paths.handlersDir, name));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
