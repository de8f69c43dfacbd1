/** `gastown mode start`: a mode whose service prepares something first has a row here; all others just begin. */
import type { ModeName } from '../../domain/mode/names.ts';
import { agentOf, type Town } from '../context.ts';
import { type ModeStart, type ModeStarted, startMode } from './start.ts';

/** Prepares and starts the mode, by `startMode` in the end. */
export type Starter = (town: Town, start: ModeStart) => Promise<ModeStarted>;

/** Loaded when such a mode is started: its store may need what nothing else does. */
const starters: Partial<Record<ModeName, () => Promise<Starter>>> = {};

/** Throws as `startMode`; exit 1 for an agent that is not of this town. */
export async function beginMode(town: Town, start: ModeStart): Promise<ModeStarted> {
  agentOf(town, start.agentId);
  const starter = await starters[start.mode]?.();
  return starter ? starter(town, start) : startMode(town.store, start, town.clock());
}
