/** A session that took another id keeps its modes: `clear`, `compact` and `resume` re-bind it (DESIGN section 6). */
import type { LockOptions } from '../../store/lock.ts';
import { isCancelled, modeRecordsOf } from './records.ts';
import { modeSlot, removeState, type StatePlace, writeState } from './state.ts';

/** Answers how many moved. One that was cancelled meanwhile stays away; one that is there already stays as it is. */
export async function moveModes(
  store: StatePlace,
  from: string,
  to: { sessionId: string; instanceId: string | null },
  lock?: LockOptions,
): Promise<number> {
  let moved = 0;
  for (const record of modeRecordsOf(store, from)) {
    if (!record.active) continue;
    const { changed } = await writeState(
      store,
      modeSlot(store, to.sessionId, record.mode),
      (present) => {
        if (present?.active || isCancelled(store, record)) return null;
        return { ...record, session_id: to.sessionId, instance_id: to.instanceId };
      },
      lock,
    );
    if (changed) moved += 1;
    await removeState(
      store,
      modeSlot(store, from, record.mode),
      (read) => read.kind === 'ok' && read.value.run_id === record.run_id,
      lock,
    );
  }
  return moved;
}
