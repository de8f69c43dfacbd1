/** Where the state of modes lies: their slots for `readState` and `writeState` (`town/state.ts`). */
import type { ModeName } from '../../domain/mode/names.ts';
import { type CancelledRuns, cancelledSchema, type ModeRecord, modeSchema } from '../../domain/mode/record.ts';
import type { StatePlace, StateSlot } from '../state.ts';

export { readState, removeState, type StatePlace, writeState } from '../state.ts';

/** One run of a mode: `modes/<session>/<mode>.json`. Not waited for until it is on the disk: no session outlives a power cut. */
export const modeSlot = ({ paths }: StatePlace, sessionId: string, mode: ModeName): StateSlot<ModeRecord> => ({
  path: paths.mode(sessionId, mode),
  schema: modeSchema,
  flush: false,
});

/** The tombstones: `modes/cancelled.json`. */
export const cancelledSlot = ({ paths }: StatePlace): StateSlot<CancelledRuns> => ({
  path: paths.cancelledModes,
  schema: cancelledSchema,
  flush: true,
});
