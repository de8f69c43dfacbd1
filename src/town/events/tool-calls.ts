/** The open tool calls of an agent, on disk (see `domain/tool-calls.ts`). Evidence: a loss shows a call too few. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseId } from '../../domain/ids.ts';
import { lastBegan, openCalls } from '../../domain/tool-calls.ts';
import type { StatePaths } from '../../store/paths.ts';
import type { Store } from '../../store/store.ts';

export interface ToolsInFlight {
  /** Names of the tools, oldest first. */
  tools: readonly string[];
  /** When the latest of them began, ms; null where only its end is known to lie ahead. */
  since: number | null;
}

/** Null when no call is open. Whether the agent's process still lives is for the caller to ask. */
export function toolsInFlight(store: Pick<Store, 'paths' | 'heartbeat'>, agentId: string): ToolsInFlight | null {
  let text: string;
  try {
    text = readFileSync(callsPath(store.paths, agentId), 'utf8');
  } catch {
    return null;
  }
  const tools = openCalls(text);
  if (tools.length === 0) return null;
  return { tools, since: lastBegan(text) ? (store.heartbeat.read(agentId, 'tool')?.at ?? null) : null };
}

export const noteCall = (paths: StatePaths, agentId: string, line: string): void =>
  appendFileSync(callsPath(paths, agentId), `${line}\n`, { mode: 0o600 });

export const endAllCalls = (paths: StatePaths, agentId: string): void =>
  writeFileSync(callsPath(paths, agentId), '', { mode: 0o600 });

const callsPath = (paths: StatePaths, agentId: string): string =>
  join(paths.heartbeatDir, `${parseId('agent', agentId)}.calls`);
