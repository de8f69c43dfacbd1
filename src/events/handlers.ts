/** All handlers, in no order: their priorities order them. Loaded only for events that have one. */
import type { EventKind } from '../domain/event.ts';
import type { EventHandler } from './handler.ts';

/** Kinds that no handler is called for load none of their code. */
const handled: readonly EventKind[] = ['session_start', 'prompt'];

/** Tool events that a handler wants to see even while nothing else changes, as the entry names them (`PostToolUse:Edit`). */
export const slowWords: readonly string[] = [];

export async function handlersFor(kind: EventKind): Promise<readonly EventHandler[]> {
  if (!handled.includes(kind)) return [];
  const { primeHandler } = await import('./prime-handler.ts');
  return [primeHandler];
}
