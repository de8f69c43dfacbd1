/** Starting, stopping and looking at the deacon from outside. */
import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, refused } from '../../domain/errors.ts';
import { leaseHolder } from '../../store/lease.ts';
import { lookAt } from '../../store/process-identity.ts';
import type { Town } from '../context.ts';
import { isDown } from '../running.ts';
import { openDeacon } from '../windows.ts';

export interface DeaconStatus {
  /** `unknown`: the lease is another machine's, or cannot be read. */
  running: boolean | 'unknown';
  pid: number | null;
  tick_at: string | null;
}

export function deaconStatus(town: Town): DeaconStatus {
  const read = town.store.lease.read();
  if (read.kind === 'absent') return { running: false, pid: null, tick_at: null };
  if (read.kind !== 'ok') return { running: 'unknown', pid: null, tick_at: null };
  const { pid, tick_at } = read.value;
  const holder = leaseHolder(read.value, town.clock());
  return {
    running: holder === 'unknown' ? 'unknown' : holder === 'alive',
    pid: holder === 'gone' ? null : pid,
    tick_at,
  };
}

/** Starts the deacon in its window. Exit 5 when one runs, exit 3 when the town is down or it does not come up. */
export async function startDeacon(town: Town): Promise<string> {
  const status = deaconStatus(town);
  if (status.running === true) {
    throw conflict(`a deacon runs already (process ${status.pid})`, 'stop it: gastown deacon stop');
  }
  if (await isDown(town)) throw refused('the town is down', 'start it: gastown up');
  if (!(await openDeacon(town))) throw refused('the deacon has no window to start in', 'run it here: gastown deacon');
  const pid = await waitFor(10_000, () => {
    const now = deaconStatus(town);
    return now.running === true ? now.pid : null;
  });
  if (pid === null)
    throw refused('the deacon did not take its lease', 'look at its window, or run it here: gastown deacon');
  return `the deacon patrols (process ${pid})`;
}

/**
 * Ends the deacon that holds the lease, and nothing else: a lease whose process is gone or another's is not signalled
 * (field report 23). Agents go on. Exit 3 when none runs, or when it survives.
 */
export async function stopDeacon(town: Town): Promise<string> {
  const read = town.store.lease.read();
  if (read.kind !== 'ok') throw refused('no deacon runs here', 'gastown deacon start');
  const lease = read.value;
  const look = lookAt(lease);
  if (look === 'unknown') throw refused(`the deacon is on ${lease.hostname} or cannot be looked at`, 'stop it there');
  if (look === 'gone') throw refused('no deacon runs here', 'gastown deacon start');
  // On record before the signal, so that nobody takes it for a death.
  await town.store.town.update((record) => record && { ...record, deacon_stopped: true });
  process.kill(lease.pid, 'SIGTERM');
  const ended = await waitFor(10_000, () => (lookAt(lease) === 'gone' ? true : null));
  if (ended === null) throw refused(`the deacon (process ${lease.pid}) did not end`, 'look at its window');
  return 'the deacon has ended; the agents go on';
}

async function waitFor<T>(limitMs: number, ask: () => T | null): Promise<T | null> {
  for (const deadline = performance.now() + limitMs; ; await sleep(50)) {
    const answer = ask();
    if (answer !== null || performance.now() > deadline) return answer;
  }
}
