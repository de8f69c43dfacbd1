/**
 * Proof that a prompt arrived: the runtime's own prompt event of the agent's own session leaves its time and its first
 * words in `heartbeat/<agent>.prompt`. The delivery of keystrokes waits for it (DESIGN section 8).
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseId } from '../../domain/ids.ts';
import { toLine } from '../../domain/json.ts';
import type { StatePaths } from '../../store/paths.ts';

export interface PromptProof {
  /** When the event was handled, ms. */
  at: number;
  session_id: string;
  /** Length of the whole prompt in UTF-16 units, and its first 200. */
  length: number;
  head: string;
}

const headLength = 200;

/** `heartbeat/<agent>.prompt`: worth watching while a delivery waits. */
export const promptProofPath = (paths: StatePaths, agentId: string): string =>
  join(paths.heartbeatDir, `${parseId('agent', agentId)}.prompt`);

export function leavePromptProof(
  paths: StatePaths,
  agentId: string,
  prompt: { session_id: string; text: string },
  now: number,
): void {
  const path = promptProofPath(paths, agentId);
  const proof: PromptProof = {
    at: now,
    session_id: prompt.session_id,
    length: prompt.text.length,
    head: prompt.text.slice(0, headLength),
  };
  const temp = `${path}.${process.pid}~`;
  writeFileSync(temp, `${toLine(proof)}\n`, { mode: 0o600 });
  renameSync(temp, path);
}

/** The latest prompt of the agent, if it came at or after `since` (ms); else null. Which text it was tells `head`. */
export function promptSeen(paths: StatePaths, agentId: string, since: number): PromptProof | null {
  try {
    const proof = JSON.parse(readFileSync(promptProofPath(paths, agentId), 'utf8')) as PromptProof;
    return typeof proof.at === 'number' && proof.at >= since ? proof : null;
  } catch {
    return null;
  }
}
