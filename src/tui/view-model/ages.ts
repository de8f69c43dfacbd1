/** Ages on screen, and when the next of them will read differently: that is all the pane needs a timer for. */
import { formatAge } from '../../domain/time.ts';

export interface Ages {
  readonly now: number;
  /** `12s`, `5m`; `-` where nothing tells. */
  of(at: number | null): string;
  /** When to look again, ms: the first change of an age asked for, on a grid so that neighbours change together. */
  nextChangeAt(): number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export function createAges(now: number): Ages {
  let next = Number.POSITIVE_INFINITY;
  let grid = coarseGridMs;
  return {
    now,
    of(at) {
      if (at === null) return '-';
      const ageMs = now - at;
      const step = stepMs(ageMs);
      next = Math.min(next, at + (ageMs < 0 ? step : (Math.floor(ageMs / step) + 1) * step));
      grid = Math.min(grid, step);
      return formatAge(ageMs);
    },
    nextChangeAt: () => Math.ceil(next / grid) * grid,
  };
}

/** Ages of minutes need no redraw of their own each: a few times a minute is enough for all of them. */
const coarseGridMs = 20 * second;

/** How far apart the values of `formatAge` are at an age: 5 s, minutes, hours, days. */
function stepMs(ageMs: number): number {
  if (ageMs < minute) return 5 * second;
  if (ageMs < hour) return minute;
  return ageMs < 48 * hour ? hour : day;
}
