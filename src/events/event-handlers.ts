/** Every handler of events but those of a stop alone, in no order: their priorities order them. A bundle of its own beside the event program. */
import type { EventHandler } from './handler.ts';
import { autopilotHandler } from './handlers/autopilot.ts';
import { modeRegistryHandler } from './handlers/mode-registry.ts';
import { persistentModeHandler } from './handlers/persistent-mode.ts';
import { pipelineHandler } from './handlers/pipeline.ts';
import { ralphHandler } from './handlers/ralph.ts';
import { swarmHandler } from './handlers/swarm.ts';
import { ultrapilotStartHandler } from './handlers/ultrapilot-start.ts';
import { ultraqaHandler } from './handlers/ultraqa.ts';
import { ultraworkHandler } from './handlers/ultrawork.ts';
import { handoffHandler } from './handoff-handler.ts';
import { primeHandler } from './prime-handler.ts';

export const eventHandlers: readonly EventHandler[] = [
  primeHandler,
  handoffHandler,
  modeRegistryHandler,
  persistentModeHandler,
  ralphHandler,
  autopilotHandler,
  pipelineHandler,
  swarmHandler,
  ultrapilotStartHandler,
  ultraqaHandler,
  ultraworkHandler,
];
