/**
 * The stop router: a session in a mode that stops is sent on or let go (`domain/mode/stop.ts`), by typing where the deacon
 * owns the pane, by the answer elsewhere (decision 10). A human's prompt overtakes what was owed; a session that begins
 * again is told of its modes.
 */
import type { EventAnswer } from '../../domain/event.ts';
import { said } from '../../domain/mode/said.ts';
import { modeStatusOf } from '../../domain/mode/status-of.ts';
import { triggerIn } from '../../domain/mode/trigger.ts';
import { answerStop, yieldToPrompt } from '../../town/modes/at-stop.ts';
import { isCancelled, modeRecordsOf } from '../../town/modes/records.ts';
import { wasTyped } from '../../town/typed.ts';
import type { EventHandler, HandlerContext } from '../handler.ts';
import { todoAdvice } from './todo-continuation.ts';

export const persistentModeHandler: EventHandler = {
  name: 'persistent-mode',
  events: ['stop', 'turn_failed', 'interrupt', 'prompt', 'session_start'],
  priority: 5,
  enabled: ({ event, store }) =>
    event.subagent === null &&
    event.session_id !== null &&
    modeRecordsOf(store, event.session_id).some(({ active }) => active),
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
  const { block, taken } = await answerStop({ ...context, advice: todoAdvice(context) });
  // Only a stop can be answered; after a failure or an interrupt there is nothing to hold.
  return context.event.kind === 'stop' ? { block, taken } : null;
}

async function overtaken({ event, store, agent, now }: HandlerContext): Promise<null> {
  const text = event.prompt ?? '';
  const isOurs = text.startsWith('[gastown') || wasTyped(store.paths, agent.agent_id, text, now);
  if (!isOurs && triggerIn(text)?.kind !== 'cancel') await yieldToPrompt(store, event.session_id ?? '');
  return null;
}

function reminder({ event, store }: HandlerContext): EventAnswer | null {
  if (event.source === 'startup') return null;
  const lines = modeRecordsOf(store, event.session_id ?? '')
    .filter((record) => record.active && !isCancelled(store, record))
    .map((record) => {
      const { phase, story, iteration, max_iterations: most } = modeStatusOf(record);
      const where = [phase, story].filter((part) => part !== null).join(', ');
      return said(record.mode, `goes on: ${where === '' ? 'at work' : where}, continuation ${iteration} of ${most}.`);
    });
  return lines.length === 0 ? null : { context: lines.join('\n') };
}
