/** Every handler of events, in no order: their priorities order them. A bundle of its own beside the event program. */
import type { EventHandler } from './handler.ts';
import { handoffHandler } from './handoff-handler.ts';
import { primeHandler } from './prime-handler.ts';

export const eventHandlers: readonly EventHandler[] = [primeHandler, handoffHandler];
