/**
 * Tells a human who is not looking that an agent waits (seed 004, background-notification): on the desktop and by webhook as
 * `notify` says, and to the terminals that are attached but unattended. Whoever looks sees the row and is told nothing.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { optionsFrom } from '../../domain/handlers/in-force.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import { scaled, type Town } from '../context.ts';
import { lookers } from '../handlers/looking.ts';
import { type Notice, noticesOf, noticesSlot } from '../handlers/notices.ts';
import { note } from '../note.ts';
import { writeState } from '../state.ts';
import { reachHuman } from './notify.ts';

/** What is settled within seconds is nobody's business. */
const settleSeconds = 3;

/** One look at what waits. Answers how many were told. */
export async function tellNotices(town: Town): Promise<number> {
  const { waiting, told } = noticesOf(town.store);
  const now = town.clock();
  const due = waiting.filter(({ at }) => now - (parseTime(at) ?? now) >= scaled(town, settleSeconds));
  if (due.length === 0) return 0;
  const options = optionsFrom(town.config.handlers ?? {}, 'background-notification');
  const present = await lookers(town.tmux);
  const isLooking = present.some(({ lastKeyAt }) => now - lastKeyAt < scaled(town, Number(options['away'] ?? 120)));
  const open = isLooking ? [] : due.filter((one) => stillWaits(town, one));
  const cooldownMs = scaled(town, Number(options['cooldown'] ?? 60));
  const tell = open.filter(
    ({ agent_id }) => now - (parseTime(told[agent_id]) ?? Number.NEGATIVE_INFINITY) >= cooldownMs,
  );
  const postponed = open.filter((one) => !tell.includes(one));
  // On record first: whoever dies while telling does not tell twice.
  await writeState(town.store, noticesSlot(town.store), (current) => ({
    waiting: (current?.waiting ?? []).filter(
      (one) => !due.some((each) => isSame(each, one)) || postponed.some((each) => isSame(each, one)),
    ),
    told: { ...current?.told, ...Object.fromEntries(tell.map(({ agent_id }) => [agent_id, toIso(now)])) },
  }));
  for (const notice of tell) {
    note(town, 'notified', notice.text, { by: 'deacon', agent_id: notice.agent_id });
    void reachHuman(town, notice.text, { ...notice });
    for (const { tty } of present) ring(tty, notice.text, options);
  }
  return tell.length;
}

const isSame = (a: Notice, b: Notice): boolean => a.agent_id === b.agent_id && a.kind === b.kind && a.at === b.at;

/** As the agent's session says now: a permission given, a prompt that came, and nobody waits any more. */
function stillWaits(town: Town, { agent_id, kind, at }: Notice): boolean {
  const agent = town.store.agents.read(agent_id);
  const id = agent.kind === 'ok' ? agent.value.session_id : null;
  const read = id === null ? null : town.store.sessions.read(id);
  if (read?.kind !== 'ok' || read.value.ended_at) return false;
  const session = read.value;
  if (kind === 'permission') return session.permission != null || session.status === 'asking';
  if (kind === 'failed') return session.status === 'error';
  return session.status !== 'active' || (parseTime(session.updated_at) ?? 0) <= (parseTime(at) ?? 0);
}

/** A notice of the terminal's own (OSC 9) and its bell, written to the terminal itself: tmux lets neither through by itself. */
function ring(tty: string, text: string, options: Record<string, unknown>): void {
  const words = `${options['osc'] === false ? '' : `\u001b]9;${text}\u0007`}${options['sound'] === true ? '\u0007' : ''}`;
  if (words === '' || !/^\/dev\/[\w/]+$/.test(tty)) return;
  try {
    const fd = openSync(tty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    try {
      writeSync(fd, words);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The terminal went away, or is not ours to write to.
  }
}
