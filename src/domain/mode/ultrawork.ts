/** ultrawork: ready beads are given to as many agents as the budget allows, and the mode releases itself when none is left. */
import * as z from 'zod/mini';
import type { Mode } from './mode.ts';
import { said } from './said.ts';
import { stateAs } from './state-of.ts';

const stateSchema = z.looseObject({ workers: z.int(), ready: z.int(), busy: z.int() });
const empty = { workers: 5, ready: 0, busy: 0 };

export const ultrawork: Mode = {
  name: 'ultrawork',
  does: 'as many workers as the budget allows on the ready beads, until none is left',
  begin: (_goal, { workers = empty.workers }) => ({ ...empty, workers }),
  reduce({ state: kept, goal }, _event, { beads, gt }) {
    const state = { ...stateAs(stateSchema, kept, empty), ready: beads.ready, busy: beads.busy };
    if (beads.own !== null) {
      const text = said(
        'ultrawork',
        `${beads.own} is on your hook. Go on with it; do what does not depend on each other at the same time.`,
        `When it is finished: ${gt} done${goal === '' ? '' : ` (the whole: ${goal.slice(0, 150)})`}`,
      );
      return { state, step: { kind: 'say', text } };
    }
    if (beads.ready === 0 && beads.busy === 0) return { state, step: { kind: 'finish', why: 'no bead is left' } };
    if (beads.ready === 0 || beads.busy >= state.workers) {
      return { state, step: { kind: 'wait', why: `${beads.busy} beads are in hand` } };
    }
    return { state, step: { kind: 'workers' } };
  },
  show({ state: kept }) {
    const { ready, busy, workers } = stateAs(stateSchema, kept, empty);
    return { phase: `${busy}/${workers} at work`, story: `${ready} ready` };
  },
};
