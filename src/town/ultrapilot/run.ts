/** The ultrapilot of the town: there is one at a time. Its joint run holds all of it, from the plan to what was joined. */
import { join } from 'node:path';
import { refused } from '../../domain/errors.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { shellWord } from '../../domain/quote.ts';
import { type UltrapilotState, ultrapilotStateSchema } from '../../domain/ultrapilot/run.ts';
import type { Town } from '../context.ts';
import type { EventStore } from '../events/store.ts';
import { changeMode } from '../modes/change.ts';
import { allModes, isCancelled, isJoint } from '../modes/records.ts';

export interface Ultrapilot {
  record: ModeRecord;
  state: UltrapilotState;
}

/** The one that runs, or else the last that ended; null where there was none. */
export function lastUltrapilot(store: EventStore): Ultrapilot | null {
  const found = allModes(store).flatMap(({ read }) =>
    read.kind === 'ok' && read.value.mode === 'ultrapilot' && isJoint(read.value) && !isCancelled(store, read.value)
      ? [read.value]
      : [],
  );
  found.sort((a, b) => Number(b.active) - Number(a.active) || (a.started_at < b.started_at ? 1 : -1));
  const [record] = found;
  return record === undefined ? null : { record, state: stateOf(record) };
}

/** Throws exit 3 where none runs. */
export function requireUltrapilot(town: Town): Ultrapilot {
  const last = lastUltrapilot(town.store);
  if (last?.record.active) return last;
  const begin = 'begin one: gastown mode start ultrapilot AGENT --plan FILE';
  throw refused(
    last === null ? 'there is no ultrapilot here' : `the ultrapilot is over: ${last.record.ended?.why ?? ''}`,
    begin,
  );
}

/** Throws exit 3 for a state that is none of ours: it is never guessed. */
export function stateOf({ state, run_id }: ModeRecord): UltrapilotState {
  const read = ultrapilotStateSchema.safeParse(state);
  if (read.success) return read.data;
  throw refused(`the record of ${run_id} holds no ultrapilot`, 'end it: gastown mode cancel ultrapilot');
}

/**
 * Changes the state of the run, if it still is one; `change` answers null for "no change". Throws exit 3 where it was
 * ended or cancelled meanwhile.
 */
export async function changeRun(
  town: Town,
  { record }: Ultrapilot,
  change: (state: UltrapilotState, record: ModeRecord) => { state: UltrapilotState; goal?: string } | null,
): Promise<Ultrapilot> {
  const written = await changeMode(town.store, record, (current) => {
    const next = change(stateOf(current), current);
    return next && { ...current, ...(next.goal === undefined ? {} : { goal: next.goal }), state: { ...next.state } };
  });
  if (written === null) throw refused('the ultrapilot was ended meanwhile', 'nothing was changed');
  return { record: written, state: stateOf(written) };
}

/** `gt` as a word for a shell. */
export const gtWord = (town: Pick<Town, 'binDir'>): string => shellWord(join(town.binDir, 'gt'));

/** The tree where its parts are put together, below `.chipset/worktrees`; its branch is `gastown/<name>`. */
export const joinedName = ({ run_id }: Pick<ModeRecord, 'run_id'>): string => `ultrapilot-${run_id.slice(-6)}`;
