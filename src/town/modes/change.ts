/** The one way to change a mode that runs. A write-back is refused where the run is over, cancelled, or another one. */
import { toRecordText } from '../../domain/json.ts';
import { ended } from '../../domain/mode/apply.ts';
import type { ModeNext, ModeRecord } from '../../domain/mode/record.ts';
import type { LockOptions } from '../../store/lock.ts';
import { isCancelled } from './records.ts';
import { modeSlot, type StatePlace, writeState } from './state.ts';

export type ModeRun = Pick<ModeRecord, 'session_id' | 'mode' | 'run_id'>;

/**
 * Changes the record of this very run. `change` gets it as it is now and answers null for "no change". Answers the
 * record as it is on disk, or null where nothing may be written any more: the run ended, was cancelled or replaced, or
 * the file is gone. Then the caller must act as if it had never seen the mode (field report 44).
 */
export async function changeMode(
  store: StatePlace,
  run: ModeRun,
  change: (current: ModeRecord) => ModeRecord | null,
  options?: LockOptions,
): Promise<ModeRecord | null> {
  let refused = false;
  const { value } = await writeState(
    store,
    modeSlot(store, run.session_id, run.mode),
    (current) => {
      refused = current === null || current.run_id !== run.run_id || !current.active || isCancelled(store, current);
      return refused || current === null ? null : change(current);
    },
    options,
  );
  return refused ? null : value;
}

/** Ends the run; its record stays, inactive, for the operator to see. Answers it, or null as `changeMode`. */
export const endMode = (
  store: StatePlace,
  run: ModeRun,
  end: { kind: 'done' | 'failed'; why: string },
  now: number,
  options?: LockOptions,
): Promise<ModeRecord | null> => changeMode(store, run, (current) => ended(current, end, now), options);

/** Takes back what was owed, if it is still that; answers whether it was. */
export async function replaceNext(
  store: StatePlace,
  run: ModeRun,
  was: ModeNext,
  becomes: ModeNext | null,
): Promise<boolean> {
  let changed = false;
  await changeMode(store, run, (current) => {
    changed = current.next !== null && isSameNext(current.next, was);
    return changed ? { ...current, next: becomes } : null;
  });
  return changed;
}

/** Whatever the order of their keys: one may come from the disk. */
export const isSameNext = (a: ModeNext, b: ModeNext): boolean => toRecordText(a) === toRecordText(b);
