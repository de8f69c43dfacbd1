/** Which events load the handlers. All others are answered without their code. */
import type { EventKind } from '../domain/event.ts';
import type { EventHandler } from './handler.ts';

const handled: readonly EventKind[] = ['session_start', 'prompt'];

/** Tool events that a handler wants to see even while nothing else changes, as the entry names them (`PostToolUse:Edit`). */
export const slowWords: readonly string[] = [];

export async function handlersFor(kind: EventKind): Promise<readonly EventHandler[]> {
  if (!handled.includes(kind)) return [];
  return (await import('./event-handlers.ts')).eventHandlers;
}
