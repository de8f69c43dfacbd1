/** Which events load the handlers. All others are answered without their code. */
import type { RuntimeEvent } from '../domain/event.ts';
import { triggerIn } from '../domain/mode/trigger.ts';
import type { EventHandler } from './handler.ts';

/** Tool events that a handler wants to see even while nothing else changes, as the entry names them (`PostToolUse:Edit`). */
export const slowWords: readonly string[] = [];

export interface LoadFacts {
  /** The event binds its session to the agent: it began, or changed its id. */
  bound: boolean;
  /** Whether the session has execution modes on record; asked where that decides. */
  hasModes(): boolean;
}

/**
 * A beginning has handlers; a prompt where it is the first sign of its session, leads with a word for modes or meets a
 * mode; the end of a turn where it meets a mode. A handler that wants to see more has to be let in here.
 */
export async function handlersFor(
  event: RuntimeEvent,
  { bound, hasModes }: LoadFacts,
): Promise<readonly EventHandler[]> {
  switch (event.kind) {
    case 'stop':
    case 'turn_failed':
    case 'interrupt':
      return hasModes() ? (await import('./stop-handlers.ts')).stopHandlers : [];
    case 'prompt':
      return bound || triggerIn(event.prompt ?? '') !== null || hasModes() ? all() : [];
    case 'session_start':
      return all();
    default:
      return [];
  }
}

const all = async (): Promise<readonly EventHandler[]> => (await import('./event-handlers.ts')).eventHandlers;
