/** The deacon's lease: one deacon a town, proved by pid and start time, never by a pid alone (field report 23). */
import { conflict } from '../domain/errors.ts';
import type { Lease } from '../domain/records.ts';
import { toIso } from '../domain/time.ts';
import { lookAt, ownIdentity } from './process-identity.ts';
import type { Store } from './store.ts';

/** A lease from a machine that cannot be looked at counts as given up when its deacon has not ticked for this long. */
const foreignLeaseMs = 600_000;

/** Takes the lease for this process; throws exit 5 naming the deacon that has it. A dead one's lease is taken over. */
export async function takeLease(store: Store, now: number): Promise<Lease> {
  // A lease that cannot be parsed names nobody; its copy stays in quarantine.
  await store.lease.remove((read) => read.kind === 'corrupt');
  const { value } = await store.lease.update((held) => {
    if (held !== null && !isMine(held) && leaseHolder(held, now) !== 'gone') {
      throw conflict(`a deacon runs already (process ${held.pid} on ${held.hostname})`, 'stop it: gastown deacon stop');
    }
    return { ...ownIdentity(), taken_at: toIso(now), tick_at: toIso(now) };
  });
  if (value === null) throw conflict('the lease vanished while it was taken', 'try again');
  return value;
}

/** Notes a tick, and `more` with it; false when the lease is not this process's (any more): it must stop then. */
export async function renewLease(
  store: Store,
  now: number,
  more: Pick<Lease, 'uptime_s' | 'floor_at'> = {},
): Promise<boolean> {
  const { changed } = await store.lease.update((held) =>
    held !== null && isMine(held) ? { ...held, ...more, tick_at: toIso(now) } : null,
  );
  return changed;
}

/** Gives the lease back, if it is this process's. */
export const releaseLease = (store: Store): Promise<boolean> =>
  store.lease.remove((read) => read.kind === 'ok' && isMine(read.value));

/** Whether the deacon that a lease names runs. `unknown`: it is another machine's, or nothing tells. */
export function leaseHolder(lease: Lease, now: number): 'alive' | 'gone' | 'unknown' {
  const look = lookAt(lease);
  if (look !== 'unknown') return look;
  return now - Date.parse(lease.tick_at) > foreignLeaseMs ? 'gone' : 'unknown';
}

const isMine = (lease: Lease): boolean => {
  const me = ownIdentity();
  return lease.pid === me.pid && lease.pid_started === me.pid_started && lease.hostname === me.hostname;
};
