/**
 * Values that did not match, counted per run of an agent: cycle numbers are small and follow each other, so guessing
 * would succeed soon. Only sessions of a town are counted; a shell without one is the human's.
 */
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { statePaths } from '../../store/paths.ts';
import type { SessionBinding } from './session-binding.ts';

const allowedMisses = 5;

const fileOf = (stateDir: string, agentId: string): string => statePaths(stateDir).handoffAttempts(agentId);

/** True once this run of the agent has used up its tries; only a human resets that. */
export function isOutOfAttempts(session: SessionBinding): boolean {
  const prefix = `${session.instanceId} `;
  return (
    readLines(fileOf(session.stateDir, session.agentId)).filter((line) => line.startsWith(prefix)).length >=
    allowedMisses
  );
}

/** One line a miss; appending is atomic, so concurrent misses are all counted. */
export function countMiss(session: SessionBinding, now: number): void {
  const path = fileOf(session.stateDir, session.agentId);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  appendFileSync(path, `${session.instanceId} ${new Date(now).toISOString()}\n`, { mode: 0o600 });
}

/** What the human does in the control pane, and what a right value does by itself. */
export function resetAttempts(stateDir: string, agentId: string): void {
  rmSync(fileOf(stateDir, agentId), { force: true });
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n');
  } catch {
    return [];
  }
}
