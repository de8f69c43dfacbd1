/** The handlers of ends of turns, for sessions in a mode. A small bundle of its own: a stop waits for it. */
import type { EventHandler } from './handler.ts';
import { persistentModeHandler } from './handlers/persistent-mode.ts';
import { todoContinuationHandler } from './handlers/todo-continuation.ts';

export const stopHandlers: readonly EventHandler[] = [persistentModeHandler, todoContinuationHandler];
