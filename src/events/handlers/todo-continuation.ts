/** The session's own unfinished todos: noted at each stop of a session in a mode, and named where it is sent on. Alone they hold nobody. */
import { cleanLine } from '../../domain/text.ts';
import { eventLockWaitMs } from '../../store/lock.ts';
import { todoCount, todosOf } from '../../town/modes/todos.ts';
import { handlerSlot, writeState } from '../../town/state.ts';
import type { EventHandler, HandlerContext } from '../handler.ts';

export const todoContinuationHandler: EventHandler = {
  name: 'todo-continuation',
  events: ['stop'],
  priority: 4,
  enabled: ({ event }) => event.subagent === null,
  handle: async ({ event, env, store }) => {
    const sessionId = event.session_id ?? '';
    const todos = todosOf(env, sessionId);
    if (todos === null) return null;
    const slot = handlerSlot(store, 'todo-continuation', sessionId, todoCount);
    await writeState(store, slot, () => todos, { waitMs: eventLockWaitMs });
    return null;
  },
};

/** One line for a continuation; empty where nothing is left. */
export function todoAdvice({ env, event }: Pick<HandlerContext, 'env' | 'event'>): string {
  const todos = todosOf(env, event.session_id ?? '');
  if (todos === null || todos.pending + todos.in_progress === 0) return '';
  const next = todos.next === null ? '' : `, next: "${cleanLine(todos.next).slice(0, 150)}"`;
  return `Of your todos ${todos.pending + todos.in_progress} are not finished${next}.`;
}
