/** Handlers of events: an ordered list, each contained, one answer. A handler that fails costs its own part alone. */

import { errorText } from '../domain/errors.ts';
import type { EventAnswer, EventKind, RuntimeEvent } from '../domain/event.ts';
import type { AgentRecord, SessionRecord } from '../domain/records.ts';
import type { EventStore } from '../town/events/store.ts';

export interface HandlerContext {
  event: RuntimeEvent;
  agent: AgentRecord;
  /** The session as it was before this event. Always governed. */
  session: SessionRecord;
  /** True when this event bound the session to the agent: it began, or changed its id. */
  bound: boolean;
  /** What events touch; a handler that needs more opens the whole store from `stateDir`. */
  store: EventStore;
  stateDir: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  now: number;
  /** Counts a failure where the operator sees it. */
  trouble(what: string): void;
}

export interface EventHandler {
  name: string;
  /** Events it is called for. */
  events: readonly EventKind[];
  /** Lower comes first; contexts are joined in this order, and the first block stands. */
  priority: number;
  enabled(context: HandlerContext): boolean;
  handle(context: HandlerContext): EventAnswer | null | Promise<EventAnswer | null>;
}

/** What one handler may take, in milliseconds; a synchronous one cannot be cut short, so it must not wait. */
export const handlerBudgetMs = 2_000;

/** Runs what is enabled for the event. Never throws. */
export async function runHandlers(
  handlers: readonly EventHandler[],
  context: HandlerContext,
  budgetMs = handlerBudgetMs,
): Promise<EventAnswer> {
  const texts: string[] = [];
  let block: string | null = null;
  let taken = false;
  const ordered = handlers
    .filter((handler) => handler.events.includes(context.event.kind))
    .sort((a, b) => a.priority - b.priority);
  for (const handler of ordered) {
    try {
      if (!handler.enabled(context)) continue;
      const answer = await within(budgetMs, handler.handle(context));
      if (answer?.context) texts.push(answer.context);
      block ??= answer?.block ?? null;
      taken ||= answer?.taken === true;
    } catch (error) {
      context.trouble(`handler ${handler.name}: ${errorText(error)}`);
    }
  }
  return { context: texts.length === 0 ? null : texts.join('\n\n'), block, taken };
}

async function within<T>(budgetMs: number, work: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${budgetMs} ms`)), budgetMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
