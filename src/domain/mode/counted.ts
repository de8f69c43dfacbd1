/** A mode whose work is counted elsewhere: its service keeps the count, the session goes on while anything is open. */
import * as z from 'zod/mini';
import type { Mode } from './mode.ts';
import type { ModeName } from './names.ts';
import { stateAs } from './state-of.ts';

/** `done` and `failed` are over; `open` is everything else. `total` 0: not planned yet. */
export const countedWorkSchema = z.looseObject({
  phase: z.nullable(z.string()),
  /** What this session is told to go on with; null: the session rests while the others work. */
  say: z.nullable(z.string()),
  work: z.object({ total: z.number(), open: z.number(), done: z.number(), failed: z.number() }),
});
export type CountedWork = z.infer<typeof countedWorkSchema>;

const unplanned: CountedWork = { phase: null, say: null, work: { total: 0, open: 0, done: 0, failed: 0 } };

export const counted = (name: ModeName, does: string): Mode => ({
  name,
  does,
  begin: (_goal, { state = {} }) => ({ ...unplanned, ...state }),
  reduce({ state }) {
    const { work, say } = stateAs(countedWorkSchema, state, unplanned);
    if (work.total > 0 && work.open === 0) {
      const why = `${work.done} of ${work.total} done`;
      return work.failed > 0
        ? { state, step: { kind: 'fail', why: `${why}, ${work.failed} failed` } }
        : { state, step: { kind: 'finish', why } };
    }
    return say === null
      ? { state, step: { kind: 'wait', why: work.total === 0 ? 'not planned yet' : `${work.open} in other hands` } }
      : { state, step: { kind: 'say', text: say } };
  },
  show({ state }) {
    const { phase, work } = stateAs(countedWorkSchema, state, unplanned);
    return { phase, story: work.total === 0 ? null : `${work.done + work.failed}/${work.total}` };
  },
});
