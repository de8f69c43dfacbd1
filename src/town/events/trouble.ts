/**
 * What went wrong in the entry of an agent's events, counted in `heartbeat/<agent>.trouble`, a line each. An event never
 * fails its runtime, so this is where the failure shows. The shell entry appends single words.
 */
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseId } from '../../domain/ids.ts';
import { cleanLine } from '../../domain/text.ts';
import type { StatePaths } from '../../store/paths.ts';

export interface EventTrouble {
  count: number;
  /** The last one, in a few words. */
  last: string;
  /** When it happened, ms. */
  at: number;
}

const limitBytes = 65_536;
const kept = 100;

/** Never throws and makes no folder: where nothing can be written, nothing is counted. */
export function countTrouble(paths: StatePaths, agentId: string, what: string): void {
  try {
    const path = troublePath(paths, agentId);
    appendFileSync(path, `${cleanLine(what).slice(0, 200)}\n`, { mode: 0o600 });
    if (statSync(path).size > limitBytes) shorten(path);
  } catch {
    // The same trouble again: the folder is gone or cannot be written.
  }
}

/** Null when there was none. */
export function readTrouble(paths: StatePaths, agentId: string): EventTrouble | null {
  try {
    const path = troublePath(paths, agentId);
    const lines = linesOf(path);
    const last = lines.at(-1);
    if (last === undefined) return null;
    return { count: lines.length + before(lines) - (before(lines) > 0 ? 1 : 0), last, at: statSync(path).mtimeMs };
  } catch {
    return null;
  }
}

const troublePath = (paths: StatePaths, agentId: string): string =>
  join(paths.heartbeatDir, `${parseId('agent', agentId)}.trouble`);

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);

/** The first line may say how many came before: `+812`. */
const before = (lines: readonly string[]): number => Number(/^\+(\d+)$/.exec(lines[0] ?? '')?.[1] ?? 0);

function shorten(path: string): void {
  const lines = linesOf(path);
  const dropped = lines.length - kept + Math.max(0, before(lines) - 1);
  writeFileSync(path, `${[`+${dropped}`, ...lines.slice(-kept)].join('\n')}\n`, { mode: 0o600 });
}
