/** The modes of the town as they are on disk; a cancelled run is none, whatever its file says. */
import type { ModeRecord, ModeStatus } from '../../domain/mode/record.ts';
import { modeStatusOf } from '../../domain/mode/status-of.ts';
import type { EventStore } from '../events/store.ts';
import { allModes, cancelledRuns, isJoint, modeSessionOf } from './records.ts';

export interface TownMode extends ModeStatus {
  agent_id: string;
  goal: string;
}

/** `broken`: files nobody can read; they continue nothing until they are mended or removed. */
export interface TownModes {
  modes: TownMode[];
  broken: { path: string; reason: string }[];
}

export function readModes(store: EventStore, agentId: string | null): TownModes {
  const cancelled = new Set(cancelledRuns(store).map(({ run_id }) => run_id));
  const found = allModes(store);
  return {
    modes: found.flatMap(({ read }) => {
      if (read.kind !== 'ok' || cancelled.has(read.value.run_id)) return [];
      if (agentId !== null && read.value.agent_id !== agentId) return [];
      const status = modeStatusOf(read.value);
      const detail = read.value.active && isLeft(store, read.value) ? leftText : status.detail;
      return [{ ...status, detail, agent_id: read.value.agent_id, goal: read.value.goal }];
    }),
    broken: found.flatMap(({ mode, sessionId, read }) =>
      read.kind === 'corrupt' || read.kind === 'unreadable'
        ? [{ path: store.paths.mode(sessionId, mode), reason: read.reason }]
        : [],
    ),
  };
}

const leftText = 'its session is over: start it again, or cancel it';

/** The agent has begun another conversation since: this run continues nobody (seed 004, session isolation). */
function isLeft(store: EventStore, record: ModeRecord): boolean {
  const { agent_id, session_id } = record;
  if (isJoint(record)) return false;
  const agent = store.agents.read(agent_id);
  return agent.kind === 'ok' && modeSessionOf(agent.value) !== session_id;
}
