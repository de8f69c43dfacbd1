/**
 * `heartbeat/<agent>.fast/`: how the shell entry knows, without reading a payload, that an event of a tool can change
 * nothing. A cache of the session record: made and removed under that record's lock, by the one writer of it.
 */
import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseId } from '../domain/ids.ts';
import type { StatePaths } from './paths.ts';

export interface FastSession {
  instance_id: string | null;
  session_id: string;
  /** Words (`PostToolUse:Edit`) that start Node all the same, for a handler that wants them. */
  slow: readonly string[];
}

const folder = (paths: StatePaths, agentId: string): string =>
  join(paths.heartbeatDir, `${parseId('agent', agentId)}.fast`);

/** `-` stands for a runtime, or a version of one, that tells its events no session. */
export function makeFast(paths: StatePaths, agentId: string, { instance_id, session_id, slow }: FastSession): void {
  const dir = folder(paths, agentId);
  const instance = instance_id ?? '-';
  const names = [...slow.map((word) => `slow.${word}`), `${instance}.-`, `${instance}.${session_id}`];
  if (names.every((name) => existsSync(join(dir, name)))) return;
  dropFast(paths, agentId);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  symlinkSync(join('..', '..', 'sessions', `${session_id}.json`), join(dir, 'record'));
  for (const name of names) writeFileSync(join(dir, name), '', { mode: 0o600 });
}

/**
 * Says that the record, as it is now, is what the marker stands for: a record that is younger, because somebody else
 * wrote it, starts Node. A marker that was dropped meanwhile stays dropped.
 */
export function confirmFast(paths: StatePaths, agentId: string, session: Omit<FastSession, 'slow'>): void {
  const now = new Date();
  for (const name of ['-', session.session_id]) {
    try {
      utimesSync(join(folder(paths, agentId), `${session.instance_id ?? '-'}.${name}`), now, now);
    } catch {
      // Dropped: the session is not active any more.
    }
  }
}

/** From here on every event starts Node and looks at the record. */
export function dropFast(paths: StatePaths, agentId: string): void {
  const dir = folder(paths, agentId);
  if (existsSync(dir)) rmSync(dir, { force: true, recursive: true });
}
