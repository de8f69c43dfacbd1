/** Holds the agents of an ultrapilot to their files: a write elsewhere is denied before it happens, with the owner named; every case is on record. */
import { join } from 'node:path';
import { commandOf, filesOf } from '../../domain/handlers/tools.ts';
import { shellWord } from '../../domain/quote.ts';
import { filesWrittenBy } from '../../domain/shell-writes.ts';
import { toIso } from '../../domain/time.ts';
import { isGuardedTool, notOwnText } from '../../domain/ultrapilot/ownership.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { forgetGuard, isInForce, readGuard, whoseElse } from '../../town/handlers/file-guards.ts';
import { type EventHandler, type HandlerContext, treeOf } from '../handler.ts';

/** Its prompts are `ultrapilot-start.ts`. */
export const ultrapilotHandler: EventHandler = {
  name: 'ultrapilot',
  events: ['tool_start'],
  priority: 12,
  enabled: ({ event }) => event.tool !== null && isGuardedTool(event.tool.name),
  handle: async (context) => {
    const { agent, store, now, event } = context;
    const { agent_id } = agent;
    const guard = readGuard(store, agent_id);
    if (guard === null) return null;
    if (!isInForce(store, guard)) {
      await forgetGuard(store, guard, { waitMs: eventLockWaitMs });
      return null;
    }
    const { files, byShell } = filesOfTool(context);
    const against = whoseElse(guard, files, event.cwd ?? treeOf(context), byShell);
    if (against === null) return null;
    const message = `${agent_id} was kept from writing ${against.file}, which belongs to ${against.owner}: ${against.why}`;
    store.journal.append({ at: toIso(now), kind: 'ultrapilot.denied', by: agent_id, agent_id, message });
    return { block: notOwnText(guard, against, shellWord(join(store.paths.binDir, 'gt'))) };
  },
};

/** All that an edit names; of a shell's command, what its words tell: a help against accidents, no wall. */
function filesOfTool({ event: { tool } }: HandlerContext): { files: string[]; byShell: boolean } {
  const files = tool === null ? [] : filesOf(tool);
  const command = tool === null || files.length > 0 ? null : commandOf(tool);
  return command === null ? { files, byShell: false } : { files: filesWrittenBy(command), byShell: true };
}
