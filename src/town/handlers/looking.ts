/** Whether a human looks at the town: a terminal is attached to it, and its last key was not long ago. */
import { readFileSync } from 'node:fs';
import { asObject, textAt } from '../../domain/event.ts';
import type { Tmux } from '../../tmux/driver.ts';
import { spawnTmux } from '../../tmux/spawn-client.ts';
import type { StatePlace } from '../state.ts';

export interface Looker {
  tty: string;
  /** Milliseconds. */
  lastKeyAt: number;
}

/** Terminals that are attached, our own control connections not among them. Empty where tmux does not answer. */
export async function lookers(tmux: Pick<Tmux, 'run'>): Promise<Looker[]> {
  const format = '#{client_control_mode} #{client_activity} #{client_tty}';
  const reply = await tmux.run(['list-clients', '-F', format], { timeoutMs: 1_000 });
  if (reply.kind !== 'ok') return [];
  return reply.lines.flatMap((line) => {
    const [control, seconds = '', tty = ''] = line.split(' ');
    return control === '0' ? [{ tty, lastKeyAt: Number(seconds) * 1_000 }] : [];
  });
}

/** For an event: the town's own server is asked, once. `awayMs` without a key is away. */
export async function someoneLooks({ paths }: StatePlace, now: number, awayMs: number): Promise<boolean> {
  const socket = socketOf(paths.town);
  if (socket === null) return false;
  return (await lookers(spawnTmux(socket, { timeoutMs: 1_000 }))).some(({ lastKeyAt }) => now - lastKeyAt < awayMs);
}

function socketOf(path: string): string | null {
  try {
    const town = asObject(JSON.parse(readFileSync(path, 'utf8'))) ?? {};
    return town['running'] === true ? textAt(town, 'socket') : null;
  } catch {
    return null;
  }
}
