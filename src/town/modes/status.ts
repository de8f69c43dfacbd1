/** The modes of the town as they are on disk; a cancelled run is none, whatever its file says. */
import type { ModeStatus } from '../../domain/mode/record.ts';
import { modeStatusOf } from '../../domain/mode/status-of.ts';
import { allModes, cancelledRuns } from './records.ts';
import type { StatePlace } from './state.ts';

export interface TownMode extends ModeStatus {
  agent_id: string;
  goal: string;
}

/** `broken`: files nobody can read; they continue nothing until they are mended or removed. */
export interface TownModes {
  modes: TownMode[];
  broken: { path: string; reason: string }[];
}

export function readModes(store: StatePlace, agentId: string | null): TownModes {
  const cancelled = new Set(cancelledRuns(store).map(({ run_id }) => run_id));
  const found = allModes(store);
  return {
    modes: found.flatMap(({ read }) => {
      if (read.kind !== 'ok' || cancelled.has(read.value.run_id)) return [];
      if (agentId !== null && read.value.agent_id !== agentId) return [];
      return [{ ...modeStatusOf(read.value), agent_id: read.value.agent_id, goal: read.value.goal }];
    }),
    broken: found.flatMap(({ mode, sessionId, read }) =>
      read.kind === 'corrupt' || read.kind === 'unreadable'
        ? [{ path: store.paths.mode(sessionId, mode), reason: read.reason }]
        : [],
    ),
  };
}
