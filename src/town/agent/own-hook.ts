/** An agent and its own hook: look, begin, keep it fresh. */
import type { Bead } from '../../domain/bead.ts';
import type { Hook, HookStatus } from '../../domain/hook.ts';
import { isId } from '../../domain/ids.ts';
import { changeHook, readHook } from '../../store/hooks.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';
import { callerOf } from './caller.ts';
import { workAgain } from './declare.ts';

export interface OwnHook {
  agent_id: string;
  status: HookStatus;
  work_item: Hook['work_item'];
  last_activity: string | null;
  /** The bead on the hook; null when the hook is empty or the bead has no readable record. */
  bead: Bead | null;
}

/** What is on the caller's hook; exit 4 when it cannot be read: that is never "no work". */
export async function showHook(town: Town): Promise<OwnHook> {
  const { agent } = await callerOf(town);
  const hook = readHook(town.store, agent.agent_id, town.clock());
  return {
    agent_id: agent.agent_id,
    status: hook?.status ?? 'empty',
    work_item: hook?.work_item ?? null,
    last_activity: hook?.last_activity ?? null,
    bead: hook?.work_item ? beadOn(town, hook.work_item.bead_id) : null,
  };
}

/** Pending → active, and its bead is in progress. An active hook stays active; anything else is a conflict (exit 5). */
export async function startHook(town: Town): Promise<OwnHook> {
  const caller = await callerOf(town);
  const id = caller.agent.agent_id;
  await workAgain(town, caller);
  if (readHook(town.store, id, town.clock())?.status !== 'active') {
    const { hook } = await changeHook(
      town.store,
      id,
      { op: 'activate' },
      { kind: 'agent', agent_id: id },
      town.clock(),
    );
    const bead = hook?.work_item?.bead_id;
    if (bead) note(town, 'hook.active', `${id} began ${bead}`, { by: id, agent_id: id, bead_id: bead });
  }
  const shown = await showHook(town);
  if (shown.bead?.status === 'hooked') {
    await town.store.beads.update(shown.bead.bead_id, (bead) =>
      bead?.status === 'hooked' && bead.assignee === id ? { ...bead, status: 'in_progress' } : null,
    );
    return showHook(town);
  }
  return shown;
}

/** "I am alive": refreshes an active hook. Any other hook stays as it is, and that is no error. */
export async function touchHook(town: Town): Promise<{ agent_id: string; touched: boolean }> {
  const caller = await callerOf(town);
  const id = caller.agent.agent_id;
  await workAgain(town, caller);
  const { changed } = await changeHook(town.store, id, { op: 'touch' }, { kind: 'agent', agent_id: id }, town.clock());
  return { agent_id: id, touched: changed };
}

function beadOn(town: Town, beadId: string): Bead | null {
  // A hook may name anything; only a well-formed name becomes a path.
  if (!isId('bead', beadId)) return null;
  const read = town.store.beads.read(beadId);
  return read.kind === 'ok' ? read.value : null;
}
