/** Keeps a command whose program waits for keys from running (with `deny: true`). What it relies on is set at spawn (`town/launch.ts`). */
import { waitsForHuman } from '../../domain/handlers/commands.ts';
import { commandOf } from '../../domain/handlers/tools.ts';
import { type EventHandler, type HandlerContext, optionOf } from '../handler.ts';

export const nonInteractiveEnvHandler: EventHandler = {
  name: 'non-interactive-env',
  events: ['tool_start'],
  priority: 12,
  enabled: (context) => optionOf(context, 'non-interactive-env', 'deny', false) && reasonIn(context) !== null,
  handle: (context) => ({
    block: `[gastown] ${reasonIn(context)}, and nobody sits at this terminal. Use a command that ends by itself.`,
  }),
};

function reasonIn({ event }: HandlerContext): string | null {
  const command = event.tool === null ? null : commandOf(event.tool);
  return command === null ? null : waitsForHuman(command);
}
