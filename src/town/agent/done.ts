/** `gt done`: the work on the caller's hook is finished, or has failed. The hook stays completed until it is verified. */
import { existsSync } from 'node:fs';
import type { Bead } from '../../domain/bead.ts';
import { conflict, GastownError } from '../../domain/errors.ts';
import type { Hook } from '../../domain/hook.ts';
import { cleanLine } from '../../domain/text.ts';
import { toIso } from '../../domain/time.ts';
import { changeHook } from '../../store/hooks.ts';
import { requireReadable } from '../../store/record.ts';
import type { Town } from '../context.ts';
import { sendMail } from '../deacon/mail.ts';
import { note } from '../note.ts';
import { callerOf } from './caller.ts';
import { leftInTree } from './left-in-tree.ts';

export interface Done {
  agent_id: string;
  bead_id: string;
  /** `done` or `failed`; null where the bead has no record any more. */
  bead_status: 'done' | 'failed' | null;
  hook: Hook;
  /** What the tree still holds that nobody else has, in words; nothing of it is lost. */
  left: string[];
}

/**
 * Needs the caller's own active hook (exit 5 otherwise, nothing changed). The bead is written first and the hook second,
 * so that a crash between them leaves an active hook and the agent's next `gt done` ends it.
 */
export async function done(town: Town, failed: string | null): Promise<Done> {
  const caller = await callerOf(town);
  const id = caller.agent.agent_id;
  const hook = requireReadable(town.store.hooks.place(id), town.store.hooks.read(id));
  const beadId = hook?.work_item?.bead_id;
  if (hook?.status !== 'active' || !beadId) {
    const next = hook?.status === 'pending' ? 'begin it first: gt hook start' : 'nothing was changed';
    throw conflict(`cannot complete the hook of ${id}: it is ${hook?.status ?? 'missing'}`, next);
  }
  const left = await leftInTree(town, caller);
  const status = await finishBead(town, id, beadId, failed);
  const changed = await changeHook(town.store, id, { op: 'complete' }, { kind: 'agent', agent_id: id }, town.clock());
  if (changed.hook === null) throw new Error('a completed hook is never absent');
  const how = failed === null ? 'done' : `failed: ${cleanLine(failed)}`;
  note(town, failed === null ? 'bead.done' : 'bead.failed', `${id}: ${beadId} ${how}`, {
    by: id,
    agent_id: id,
    bead_id: beadId,
  });
  reportToMayor(town, changed.hook, failed, left);
  if (existsSync(town.store.paths.handlerSessionState('ultrapilot', id))) {
    const { afterPartOf } = await import('../ultrapilot/serve.ts');
    await afterPartOf(town, id);
  }
  return { agent_id: id, bead_id: beadId, bead_status: status, hook: changed.hook, left };
}

/** The completion report of seed 000, step 7. The work is finished on disk by now, whether or not it can be written. */
function reportToMayor(town: Town, hook: Hook, failed: string | null, left: readonly string[]): void {
  const { bead_id: bead = '', title = '' } = hook.work_item ?? {};
  const head = failed === null ? `DONE: ${bead} ${title}` : `FAILED: ${bead} ${title}: ${cleanLine(failed)}`;
  try {
    sendMail(town, { from: hook.agent_id, to: 'mayor', body: [head, ...left].join('\n') });
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
  }
}

async function finishBead(town: Town, id: string, beadId: string, failed: string | null): Promise<Done['bead_status']> {
  const status = failed === null ? 'done' : 'failed';
  const { value } = await town.store.beads.update(beadId, (bead): Bead | null => {
    if (bead === null || bead.status === status) return null;
    if (bead.assignee !== id) {
      throw conflict(`${beadId} is not assigned to ${id} any more`, 'look at your hook: gt hook');
    }
    const finished = { ...bead, status, finished_at: toIso(town.clock()) } as Bead;
    return failed === null ? finished : { ...finished, failure: cleanLine(failed) };
  });
  return value === null ? null : status;
}
