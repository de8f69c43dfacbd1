/** `gastown mode start`: a mode whose service prepares something first has a row here; all others just begin. */
import { refused } from '../../domain/errors.ts';
import type { ModeName } from '../../domain/mode/names.ts';
import { agentOf, type Town } from '../context.ts';
import { runningAgents } from '../running.ts';
import { firstState, type ModeStart, type ModeStarted, startMode } from './start.ts';

/** Prepares and starts the mode, by `startMode` in the end. */
export type Starter = (town: Town, start: ModeStart) => Promise<ModeStarted>;

/** Loaded when such a mode is started: its store may need what nothing else does. */
const starters: Partial<Record<ModeName, () => Promise<Starter>>> = {
  swarm: () => import('../swarm/start.ts').then(({ startSwarm }) => startSwarm),
  ultrapilot: () => import('../ultrapilot/plan.ts').then(({ startUltrapilot }) => startUltrapilot),
};

/** Throws as `startMode`; exit 1 for a name that is no agent of this town, exit 3 for an agent that does not run. */
export async function beginMode(town: Town, start: ModeStart): Promise<ModeStarted> {
  agentOf(town, start.agentId);
  if (start.options?.reviewer) agentOf(town, start.options.reviewer);
  firstState(start, town.config.modes ?? {});
  if (!(await runningAgents(town)).has(start.agentId)) {
    throw refused(`${start.agentId} does not run, so nothing was begun`, `start it: gastown start ${start.agentId}`);
  }
  const starter = await starters[start.mode]?.();
  return starter ? starter(town, start) : startMode(town.store, start, town.clock());
}
