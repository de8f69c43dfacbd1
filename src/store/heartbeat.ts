/** Heartbeats: the mtime is the time, the word inside says which event it was (DESIGN section 5). */
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { errorText, unreadable } from '../domain/errors.ts';
import { makeFolderOf } from './atomic-write.ts';
import type { StatePaths } from './paths.ts';
import { code } from './process-identity.ts';

export type HeartbeatKind = 'tool' | 'event';

export interface Beat {
  /** When, in milliseconds. */
  at: number;
  /** One word; empty while its writer is at it. */
  word: string;
}

/**
 * Written in place: the shell fast path does the same, and a torn word costs nothing. Over what is there and never
 * truncated: a file that was cut is written out to the disk when it is closed, which costs an event milliseconds.
 */
export function touchHeartbeat(paths: StatePaths, agentId: string, kind: HeartbeatKind, word: string): void {
  const path = paths.heartbeat(agentId, kind);
  const text = `${word.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 40)}\n`;
  try {
    try {
      const fd = openSync(path, 'r+');
      try {
        writeSync(fd, text, 0);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (code(error) !== 'ENOENT') throw error;
      makeFolderOf(path);
      writeFileSync(path, text, { mode: 0o600 });
    }
  } catch (error) {
    throw unreadable(`cannot write ${path}: ${errorText(error)}`, 'check the folder and the disk', error);
  }
}

/** Null when there never was one, or when it cannot be read: no evidence, either way. */
export function readHeartbeat(paths: StatePaths, agentId: string, kind: HeartbeatKind): Beat | null {
  const path = paths.heartbeat(agentId, kind);
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return null;
    // The shell writes over a longer word without cutting the file: only the first line counts.
    const word = stat.size > 200 ? '' : (readFileSync(path, 'utf8').split('\n', 1)[0]?.trim() ?? '');
    return { at: Math.floor(stat.mtimeMs), word };
  } catch {
    return null;
  }
}
