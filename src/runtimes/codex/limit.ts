/**
 * What ended Codex's last turn, from its own conversation file: no event tells of a turn that failed. Recorded from
 * 0.171.0: the last line is then `task_complete` with `error`, and `token_count` lines tell the windows of the account.
 */
import { open } from 'node:fs/promises';
import { asObject, textAt } from '../../domain/event.ts';
import { cleanLine } from '../../domain/text.ts';
import { parseTime } from '../../domain/time.ts';
import { untilOf } from '../../domain/usage-limit.ts';
import type { LoggedLimit } from '../runtime.ts';
import { codexSessionFile } from './sessions.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

/** Lines may be long; the end of a turn and the count before it lie within so much of the end. */
const tailBytes = 131_072;
const lineLength = 200;
const words = /usage limit|rate limit|\b429\b|too many requests|quota|usage_limit/i;

/** Null where the last turn did not end over a limit, or nothing can be read. `now` in ms. */
export async function codexLimit(sessionId: string, env: Env, now: number): Promise<LoggedLimit | null> {
  const path = await codexSessionFile(sessionId, env);
  if (path === null) return null;
  const lines = await tailOf(path).catch(() => []);
  const last = lines.findLast(({ type }) => type === 'task_complete' || type === 'task_started');
  const error = last?.type === 'task_complete' ? asObject(last.payload['error']) : null;
  if (!last || error === null) return null;
  const message = textAt(error, 'message') ?? '';
  if (!words.test(`${message} ${JSON.stringify(error['codex_error_info'] ?? '')}`)) return null;
  const counted = lines.findLast(({ type }) => type === 'token_count');
  const until = untilOf(message, now) ?? fullUntil(asObject(counted?.payload['rate_limits']), now);
  return { at: last.at, until, line: cleanLine(message).slice(0, lineLength) || 'Codex is at a limit' };
}

interface Line {
  at: number;
  type: string;
  payload: Fields;
}

async function tailOf(path: string): Promise<Line[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    // What was cut in two at the beginning is no JSON and falls away.
    return buffer.toString('utf8', 0, bytesRead).split('\n').flatMap(toLine);
  } finally {
    await file.close();
  }
}

function toLine(text: string): Line[] {
  if (!text.includes('"event_msg"')) return [];
  try {
    const line = asObject(JSON.parse(text));
    const payload = asObject(line?.['payload']);
    const at = line === null ? null : parseTime(textAt(line, 'timestamp'));
    const type = payload === null ? null : textAt(payload, 'type');
    return payload === null || at === null || type === null ? [] : [{ at, type, payload }];
  } catch {
    return [];
  }
}

/** The latest end of a window of the account that is used up; null where none is. */
function fullUntil(limits: Fields | null, now: number): number | null {
  const ends = ['primary', 'secondary'].flatMap((name) => {
    const window = asObject(limits?.[name]);
    if (window === null || !(Number(window['used_percent']) >= 100)) return [];
    const at = Number(window['resets_at']) * 1000 || now + Number(window['resets_in_seconds']) * 1000;
    return Number.isFinite(at) && at > now ? [at] : [];
  });
  return ends.length === 0 ? null : Math.max(...ends);
}
