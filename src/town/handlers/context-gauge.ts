/**
 * How full the context window of a session is, from the end of its own transcript: Claude writes the usage of each answer,
 * Codex a count of tokens with the size of its window. `handlers/preemptive-compaction/<session>.json`.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { asObject } from '../../domain/event.ts';
import { checkedBy, flag, number, objectOf, text } from '../../domain/shape.ts';
import { handlerSlot, readState, type StatePlace } from '../state.ts';

export interface Gauge {
  tokens: number;
  /** Tokens that fit. */
  window: number;
  /** Whole percent of the window. */
  percent: number;
  at: string;
  /** The agent has been told at this height; a compaction resets it. */
  hinted: boolean;
}

const shape = checkedBy<Gauge>(objectOf({ tokens: number, window: number, percent: number, at: text, hinted: flag }));

export const gaugeSlot = (place: StatePlace, sessionId: string) =>
  handlerSlot(place, 'preemptive-compaction', sessionId, shape);

/** Null where it was never measured, or not since the last compaction. */
export function gaugeOf(place: StatePlace, sessionId: string): Gauge | null {
  const read = readState(place, gaugeSlot(place, sessionId));
  return read.kind === 'ok' ? read.value : null;
}

const tailBytes = 131_072;
const usualWindow = 200_000;

/** Null where the transcript tells nothing. `window` is the operator's word for the size, tokens. */
export function measureContext(transcript: string, window: number | null): Pick<Gauge, 'tokens' | 'window'> | null {
  for (const line of tailLines(transcript).reverse()) {
    // Most lines are about something else, and parsing them would be the whole cost.
    if (!line.includes('"usage"') && !line.includes('token_count')) continue;
    const found = ofClaude(line) ?? ofCodex(line);
    if (found !== null) return { tokens: found.tokens, window: window ?? found.window };
  }
  return null;
}

function ofClaude(line: string): Pick<Gauge, 'tokens' | 'window'> | null {
  const entry = parse(line);
  const message = asObject(entry?.['message']);
  const usage = asObject(message?.['usage']);
  // A subagent has a window of its own.
  if (usage === null || entry?.['isSidechain'] === true || entry?.['type'] !== 'assistant') return null;
  const tokens = sum(usage, 'input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens');
  if (tokens === 0) return null;
  const isLong = String(message?.['model'] ?? '').includes('[1m]') || tokens > usualWindow;
  return { tokens, window: isLong ? 1_000_000 : usualWindow };
}

function ofCodex(line: string): Pick<Gauge, 'tokens' | 'window'> | null {
  const payload = asObject(parse(line)?.['payload']);
  if (payload?.['type'] !== 'token_count') return null;
  const info = asObject(payload['info']);
  const usage = asObject(info?.['last_token_usage']);
  const window = Number(info?.['model_context_window']);
  if (usage === null || !(window > 0)) return null;
  return { tokens: sum(usage, 'total_tokens') || sum(usage, 'input_tokens', 'output_tokens'), window };
}

const sum = (from: Readonly<Record<string, unknown>>, ...keys: string[]): number =>
  keys.reduce((all, key) => all + (Number.isFinite(from[key]) ? Number(from[key]) : 0), 0);

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Whole lines of the last part of a file; none where it cannot be read. */
function tailLines(path: string): string[] {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(0, size - tailBytes);
    const bytes = Buffer.alloc(size - from);
    readSync(fd, bytes, 0, bytes.length, from);
    return bytes
      .toString('utf8')
      .split('\n')
      .slice(from > 0 ? 1 : 0);
  } catch {
    return [];
  } finally {
    closeSync(fd);
  }
}
