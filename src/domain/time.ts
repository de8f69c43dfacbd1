/** Instants are UTC milliseconds inside, ISO strings with `Z` on disk. The clock is always an argument. */
import * as z from 'zod/mini';

/** Any ISO 8601 time with a zone, as other writers may leave it. We write `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const isoTime = z
  .string()
  .check(z.refine((text) => parseTime(text) !== null, 'not an ISO 8601 time with a zone'));

export const toIso = (ms: number): string => new Date(ms).toISOString();

/** Milliseconds of an ISO time with a zone; null for anything else (no zone, a number, a far-away year). */
export function parseTime(text: unknown): number | null {
  if (typeof text !== 'string') return null;
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+-]\d\d:?\d\d)$/.test(text)) return null;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/**
 * An age for people: `now`, `5s`, `10s`, … in steps of five seconds, then `1m`, `2h`, `3d`. Steps keep an idle screen
 * from being redrawn each second (DESIGN section 9). A negative age (clock set back) reads `now`.
 */
export function formatAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds - (seconds % 5)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
