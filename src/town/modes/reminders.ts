/** What a session that begins again is told of the modes it is in. */
import { said } from '../../domain/mode/said.ts';
import { modeStatusOf } from '../../domain/mode/status-of.ts';
import { isCancelled, modeRecordsOf } from './records.ts';
import type { StatePlace } from './state.ts';

/** One line a mode that runs. */
export const remindersOf = (store: StatePlace, sessionId: string): string[] =>
  modeRecordsOf(store, sessionId)
    .filter((record) => record.active && !isCancelled(store, record))
    .map((record) => {
      const { phase, story, iteration, max_iterations: most } = modeStatusOf(record);
      const where = [phase, story].filter((part) => part !== null).join(', ');
      return said(record.mode, `goes on: ${where === '' ? 'at work' : where}, continuation ${iteration} of ${most}.`);
    });
