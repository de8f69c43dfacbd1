/** A usage limit as a runtime's own event tells it: no guess from the screen, and known at once. */
import { type RuntimeEvent, textAt } from './event.ts';
import { stopCause } from './mode/stop-cause.ts';
import { storedText } from './prose.ts';
import { resetTime } from './reset-time.ts';
import { cleanLine } from './text.ts';

export interface ToldLimit {
  /** When it ends, ms; null where the words do not say. */
  until: number | null;
  line: string;
}

const lineLength = 200;
/** A service that is overloaded has no account at its limit: its next answer may come at once. */
const overloaded = /overloaded|\b529\b|at capacity/i;
const reset = /(?:resets?|try again|retry(?:ing)?)(?:\s+(?:at|in|after|on))?\s+(?<time>[^\n]+)/i;

/** What the end of a turn says of a limit; null where it says nothing. */
export function limitOf(event: RuntimeEvent, now: number): ToldLimit | null {
  if (event.kind !== 'turn_failed' && event.kind !== 'stop') return null;
  if (stopCause(event) !== 'rate_limit') return null;
  const line = storedText(cleanLine(event.text ?? textAt(event.payload, 'error') ?? 'rate limit')).slice(0, lineLength);
  if (overloaded.test(`${line} ${textAt(event.payload, 'error') ?? ''}`)) return null;
  return { until: untilOf(line, now), line };
}

/** When a limit ends by its own words, ms; null where they do not say, or say a time that is over. */
export function untilOf(line: string, now: number): number | null {
  const time = reset.exec(line)?.groups?.['time'];
  const until = time === undefined ? null : resetTime(time, now);
  return until !== null && until > now ? until : null;
}
