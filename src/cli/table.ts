/** What people can call: `gastown`. One row a command; help, parser and suggestions are made from it. */
import type { Command } from './command.ts';
import type { Face } from './program.ts';
import { eventCommands } from './table-events.ts';
import { handlerCommands } from './table-handlers.ts';
import { handoffCommands } from './table-handoff.ts';
import { lookCommands } from './table-look.ts';
import { modeCommands } from './table-modes.ts';
import { patrolCommands } from './table-patrol.ts';
import { runCommands } from './table-run.ts';
import { taskCommands } from './table-tasks.ts';
import { ultrapilotCommands } from './table-ultrapilot.ts';
import { workCommands } from './table-work.ts';
import { version } from './version.ts';

const commands: readonly Command[] = [
  ...runCommands,
  ...workCommands,
  ...patrolCommands,
  ...handoffCommands,
  ...modeCommands,
  ...taskCommands,
  ...ultrapilotCommands,
  ...eventCommands,
  ...handlerCommands,
  ...lookCommands,
];

export const face: Face = {
  program: 'gastown',
  does: 'A town of AI coding agents in tmux: work on a hook is run, states are true, deliveries are verified.',
  version,
  bare: 'attach',
  commands,
};
