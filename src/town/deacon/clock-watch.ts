/**
 * Tells a clock that was set, and a sleep, from time that passed: the wall clock against a steady one. Within one deacon
 * the steady clock stands still while the machine sleeps; from one deacon to the next the uptime, which does not.
 */
import { uptime } from 'node:os';
import type { Lease } from '../../domain/records.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import { scaled, type Town } from '../context.ts';

/** A wall clock that moved by more against the steady one has jumped: time services correct by less. */
const jumpMs = 30_000;
/** A deacon that was away for longer, in seconds, does not know what it missed. */
const absenceSeconds = 60;
const shortestAbsenceMs = 2_000;

export interface ClockWatch {
  /** No stall clock starts before this (ms); 0 where nothing ever happened to the clock. */
  floorAt: number;
  /** Since when this deacon looks, on the present clock. */
  seenSince: number;
  /** By how much the clock jumped since the last call; null: it did not. */
  check(): number | null;
  /** What the lease keeps for the next deacon. */
  forLease(): Pick<Lease, 'uptime_s' | 'floor_at'>;
}

/** `before`: the lease as the last deacon left it. `once`: a single patrol of a script is no return after an absence. */
export function watchClock(town: Town, before: Lease | null, once: boolean): ClockWatch {
  let wall = town.clock();
  let steady = performance.now();
  let pending: number | null = null;
  const watch: ClockWatch = {
    floorAt: parseTime(before?.floor_at) ?? 0,
    seenSince: wall,
    check() {
      const now = town.clock();
      const drift = now - wall - (performance.now() - steady);
      wall = now;
      steady = performance.now();
      const jumped = Math.abs(drift) > jumpMs ? drift : pending;
      pending = null;
      if (jumped !== null) watch.floorAt = watch.seenSince = now;
      return jumped;
    },
    forLease: () => ({ uptime_s: uptime(), floor_at: watch.floorAt === 0 ? null : toIso(watch.floorAt) }),
  };
  const tickAt = parseTime(before?.tick_at);
  if (tickAt !== null && before?.uptime_s !== undefined && uptime() >= before.uptime_s) {
    const drift = wall - tickAt - (uptime() - before.uptime_s) * 1000;
    if (Math.abs(drift) > jumpMs) pending = drift;
  }
  const awayMs = tickAt === null ? 0 : wall - tickAt;
  const isAbsence = awayMs > Math.max(scaled(town, absenceSeconds), shortestAbsenceMs);
  if (pending !== null || (isAbsence && !once)) watch.floorAt = wall;
  return watch;
}
