/** Housekeeping: runs that are over, of sessions that no agent has any more. What a present session owns is never touched. */
import { rmdirSync } from 'node:fs';
import { parseTime } from '../../domain/time.ts';
import { listNames } from '../../store/atomic-write.ts';
import type { Town } from '../context.ts';
import { allModes, modeSessionOf } from './records.ts';
import { modeSlot, removeState } from './state.ts';

/** A run that ended, or that nobody has looked at, is kept for the operator to see for so long. */
const keptMs = 24 * 3_600_000;

/** Answers how many records it removed. Corrupt ones wait for a human. */
export async function pruneModes(town: Pick<Town, 'store' | 'clock'>): Promise<number> {
  const { store } = town;
  const present = new Set(
    [...store.agents.readAll().values()].flatMap((read) =>
      read.kind === 'ok' ? (modeSessionOf(read.value) ?? []) : [],
    ),
  );
  let removed = 0;
  for (const { read, sessionId, mode } of allModes(store)) {
    if (read.kind !== 'ok' || present.has(sessionId)) continue;
    const { run_id, last_checked_at } = read.value;
    const age = town.clock() - (parseTime(last_checked_at) ?? 0);
    if (age < keptMs) continue;
    const isThat = await removeState(
      store,
      modeSlot(store, sessionId, mode),
      (now) => now.kind === 'ok' && now.value.run_id === run_id,
    );
    if (isThat) removed += 1;
  }
  for (const name of foldersIn(store.paths.modesDir))
    if (!present.has(name)) removeEmpty(store.paths.sessionModes(name));
  return removed;
}

const foldersIn = (folder: string): string[] => {
  try {
    return listNames(folder).filter((name) => !name.includes('.'));
  } catch {
    return [];
  }
};

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody's modes are in it.
  }
}
