/** All seven, in their order of priority. A new one is a row here. */
import { autopilot } from './autopilot.ts';
import { counted } from './counted.ts';
import type { Mode } from './mode.ts';
import type { ModeName } from './names.ts';
import { pipeline } from './pipeline.ts';
import { ralph } from './ralph.ts';
import { ultraqa } from './ultraqa.ts';
import { ultrawork } from './ultrawork.ts';

export const modes: Readonly<Record<ModeName, Mode>> = {
  ralph,
  autopilot,
  ultrapilot: counted('ultrapilot', 'several workers, each with files of its own, on one plan'),
  swarm: counted('swarm', 'several agents on one store of tasks, each task claimed once'),
  pipeline,
  ultraqa,
  ultrawork,
};
