/**
 * What the town typed into an agent last, so that it is known for ours when it comes back as a prompt: words of ours start
 * nothing and overtake nothing, whatever they begin with.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseId } from '../domain/ids.ts';
import { toLine } from '../domain/json.ts';
import type { StatePaths } from '../store/paths.ts';

const headLength = 200;
/** A prompt may wait behind a turn that runs. */
const rememberedMs = 3_600_000;

interface Typed {
  at: number;
  head: string;
}

const typedPath = (paths: StatePaths, agentId: string): string =>
  join(paths.heartbeatDir, `${parseId('agent', agentId)}.typed`);

/** White space is not compared: composers change it. */
const headOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, headLength);

export function rememberTyped(paths: StatePaths, agentId: string, text: string, now: number): void {
  const path = typedPath(paths, agentId);
  const temp = `${path}.${process.pid}~`;
  const earlier = readTyped(paths, agentId).filter(({ at }) => now - at < rememberedMs);
  try {
    writeFileSync(temp, `${toLine({ typed: [...earlier, { at: now, head: headOf(text) }].slice(-20) })}\n`, {
      mode: 0o600,
    });
    renameSync(temp, path);
  } catch {
    // Then the text may be taken for a human's; its own marks still tell.
  }
}

/** Whether `prompt` is what we typed into this agent within the last hour. */
export function wasTyped(paths: StatePaths, agentId: string, prompt: string, now: number): boolean {
  const head = headOf(prompt);
  return head !== '' && readTyped(paths, agentId).some((typed) => typed.head === head && now - typed.at < rememberedMs);
}

function readTyped(paths: StatePaths, agentId: string): Typed[] {
  try {
    const { typed } = JSON.parse(readFileSync(typedPath(paths, agentId), 'utf8')) as { typed: Typed[] };
    return typed.filter(({ at, head }) => typeof at === 'number' && typeof head === 'string');
  } catch {
    return [];
  }
}
