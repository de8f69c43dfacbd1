/** Changes of a hook: the domain decides, this carries it out under the record's lock and proves it. */
import { conflict } from '../domain/errors.ts';
import { type Actor, foldActivity, type Hook, type HookChange, transition } from '../domain/hook.ts';
import { dropFast } from './fast-marker.ts';
import type { LockOptions } from './lock.ts';
import { requireReadable } from './record.ts';
import type { Store } from './store.ts';

/** `hook` is what the disk holds now; null where nothing was changed and there is no file. */
export type HookChanged = { changed: true; hook: Hook } | { changed: false; hook: Hook | null };

/**
 * Makes `change` by `actor` at `now` (ms) or throws: exit 5 when it is not allowed from the present state, exit 4 when
 * the hook is corrupt, exit 3 when its lock stays held. Nothing is written then. See the table of DESIGN section 5.
 */
export async function changeHook(
  store: Pick<Store, 'hooks' | 'paths'>,
  agentId: string,
  change: HookChange,
  actor: Actor,
  now: number,
  options?: LockOptions,
): Promise<HookChanged> {
  const updated = await store.hooks.update(
    agentId,
    (current) => {
      const outcome = transition(current, agentId, change, actor, now);
      if (outcome.kind === 'conflict') throw conflict(outcome.message, outcome.next);
      return outcome.kind === 'changed' ? outcome.hook : null;
    },
    options,
  );
  // The next tool event has to activate it, so it must be looked at.
  if (updated.changed && change.op === 'set') dropFast(store.paths, agentId);
  return updated.changed ? { changed: true, hook: updated.value } : { changed: false, hook: updated.value };
}

/** The hook with its tool heartbeat folded in (decision 3), or null when absent; throws exit 4 for a corrupt one. */
export function readHook(store: Store, agentId: string, now: number): Hook | null {
  const hook = requireReadable(store.hooks.place(agentId), store.hooks.read(agentId));
  return hook && foldActivity(hook, store.heartbeat.read(agentId, 'tool')?.at ?? null, now);
}

/** Writes the folded time into the file, as whoever watches does (decision 3). False when the file was current. */
export async function writeActivity(
  store: Store,
  agentId: string,
  now: number,
  options?: LockOptions,
): Promise<boolean> {
  const beat = store.heartbeat.read(agentId, 'tool');
  if (beat === null) return false;
  const { changed } = await store.hooks.update(
    agentId,
    (hook) => {
      const folded = hook && foldActivity(hook, beat.at, now);
      return folded === hook ? null : folded;
    },
    options,
  );
  return changed;
}
