/** Which events load the handlers. All others are answered without their code. */
import type { EventKind } from '../domain/event.ts';
import type { EventHandler } from './handler.ts';

const handled: readonly EventKind[] = ['session_start', 'prompt'];

/** Ends of turns: only a session with an execution mode has handlers for them. */
const ends: readonly EventKind[] = ['stop', 'turn_failed', 'interrupt'];

/** Tool events that a handler wants to see even while nothing else changes, as the entry names them (`PostToolUse:Edit`). */
export const slowWords: readonly string[] = [];

/** `hasModes`: whether the session has execution modes on record; asked where that decides. */
export async function handlersFor(kind: EventKind, hasModes: () => boolean): Promise<readonly EventHandler[]> {
  if (ends.includes(kind)) return hasModes() ? (await import('./stop-handlers.ts')).stopHandlers : [];
  if (!handled.includes(kind)) return [];
  return (await import('./event-handlers.ts')).eventHandlers;
}
