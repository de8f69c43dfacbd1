/**
 * The stop router: a session in a mode that stops is sent on or let go (`domain/mode/stop.ts`), by typing where the deacon
 * owns the pane, by the answer elsewhere (decision 10). A human's prompt overtakes what was owed; a session that begins
 * again is told of its modes. Its code is loaded where there is a mode, and not before.
 */
import type { EventAnswer } from '../../domain/event.ts';
import { triggerIn } from '../../domain/mode/trigger.ts';
import { hasModes } from '../../town/modes/has-modes.ts';
import { wasTyped } from '../../town/typed.ts';
import type { EventHandler, HandlerContext } from '../handler.ts';

export const persistentModeHandler: EventHandler = {
  name: 'persistent-mode',
  events: ['stop', 'turn_failed', 'interrupt', 'prompt', 'session_start'],
  priority: 5,
  enabled: ({ event, store }) =>
    event.subagent === null && event.session_id !== null && hasModes(store.paths, event.session_id),
  handle: (context) => {
    switch (context.event.kind) {
      case 'prompt':
        return overtaken(context);
      case 'session_start':
        return reminder(context);
      default:
        return atEnd(context);
    }
  },
};

async function atEnd(context: HandlerContext): Promise<EventAnswer | null> {
  const { answerStop } = await import('../../town/modes/at-stop.ts');
  const { todoAdvice } = await import('./todo-continuation.ts');
  const { block, taken } = await answerStop({ ...context, advice: todoAdvice(context) });
  // Only a stop can be answered; after a failure or an interrupt there is nothing to hold.
  return context.event.kind === 'stop' ? { block, taken } : null;
}

async function overtaken({ event, store, agent, now }: HandlerContext): Promise<null> {
  const text = event.prompt ?? '';
  const isOurs = text.startsWith('[gastown') || wasTyped(store.paths, agent.agent_id, text, now);
  if (isOurs || triggerIn(text)?.kind === 'cancel') return null;
  const { yieldToPrompt } = await import('../../town/modes/at-stop.ts');
  await yieldToPrompt(store, event.session_id ?? '');
  return null;
}

async function reminder({ event, store }: HandlerContext): Promise<EventAnswer | null> {
  if (event.source === 'startup') return null;
  const { remindersOf } = await import('../../town/modes/reminders.ts');
  const lines = remindersOf(store, event.session_id ?? '');
  return lines.length === 0 ? null : { context: lines.join('\n') };
}
