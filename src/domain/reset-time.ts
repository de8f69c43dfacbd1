import { parseTime } from './time.ts';

/**
 * When a limit ends, in UTC milliseconds, from the words of a banner: an ISO time, `in 2 hours 5 minutes`, `3pm`,
 * `15:30`, `Oct 9, 3:30pm (Europe/Berlin)`. A time of day is the one nearest to now, so a banner that was left standing
 * lies in the past. Null when the words say nothing we know.
 */
export function resetTime(text: string, now: number): number | null {
  const words = text.trim();
  const iso = parseTime(words.split(/\s/)[0]);
  if (iso !== null) return iso;
  const clock = /\b(\d{1,2})(?::(\d\d))?\s*([ap])\.?m\b|\b(\d{1,2}):(\d\d)\b/i.exec(words);
  if (!clock) return duration(words, now);
  const hour = clock[3] ? (Number(clock[1]) % 12) + (clock[3].toLowerCase() === 'p' ? 12 : 0) : Number(clock[4]);
  const minute = Number(clock[2] ?? clock[5] ?? 0);
  if (hour > 23 || minute > 59) return null;
  const zone = /\(([A-Za-z]+(?:\/[A-Za-z_+-]+)*)\)/.exec(words)?.[1];
  const day =
    /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?/i.exec(
      words,
    );
  const today = wallDate(now, zone);
  if (!day) {
    const at = (offset: number) => instant({ ...today, day: today.day + offset, hour, minute }, zone);
    const tomorrow = /\btomorrow\b/i.test(words);
    return tomorrow ? at(1) : [at(-1), at(0), at(1)].reduce((a, b) => (Math.abs(b - now) < Math.abs(a - now) ? b : a));
  }
  const month = months.indexOf((day[1] ?? '').toLowerCase());
  const year = day[3] ? Number(day[3]) : today.year + (today.month === 11 && month === 0 ? 1 : 0);
  return instant({ year, month, day: Number(day[2]), hour, minute }, zone);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

function duration(words: string, now: number): number | null {
  const parts = [...words.matchAll(/(\d+)\s*(d|h|m|s)(?:ays?|ours?|in(?:ute)?s?|ec(?:ond)?s?|rs?)?\b/gi)];
  if (parts.length === 0) return null;
  return parts.reduce((sum, part) => sum + Number(part[1]) * (unitMs[(part[2] ?? '').toLowerCase()] ?? 0), now);
}

interface Wall {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

function wallDate(ms: number, zone: string | undefined): Pick<Wall, 'year' | 'month' | 'day'> {
  const date = new Date(ms + offsetMs(ms, zone));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** The instant at which a clock of that zone shows this; the offset is taken at the instant itself. */
function instant({ year, month, day, hour, minute }: Wall, zone: string | undefined): number {
  const asUtc = Date.UTC(year, month, day, hour, minute);
  return asUtc - offsetMs(asUtc - offsetMs(asUtc, zone), zone);
}

/** What a zone's clocks are ahead of UTC; a zone that is not known, or none, is the one the program runs in. */
function offsetMs(ms: number, zone: string | undefined): number {
  const local = -new Date(ms).getTimezoneOffset() * 60_000;
  if (zone === undefined) return local;
  try {
    const options = { timeZone: zone, timeZoneName: 'longOffset' } as const;
    const name = new Intl.DateTimeFormat('en-US', options)
      .formatToParts(ms)
      .find((part) => part.type === 'timeZoneName')?.value;
    const found = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name ?? '');
    if (!found) return local;
    const size = (Number(found[2] ?? 0) * 60 + Number(found[3] ?? 0)) * 60_000;
    return found[1] === '-' ? -size : size;
  } catch {
    return local;
  }
}
