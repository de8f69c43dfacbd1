/** Handlers of events: an ordered list, each contained, one answer. A handler that fails costs its own part alone. */

import { dirname } from 'node:path';
import { errorText } from '../domain/errors.ts';
import type { EventAnswer, EventKind, RuntimeEvent } from '../domain/event.ts';
import type { InForce } from '../domain/handlers/in-force.ts';
import { type HandlerName, isHandler } from '../domain/handlers/names.ts';
import type { AgentRecord, SessionRecord } from '../domain/records.ts';
import type { Role } from '../domain/role.ts';
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
  /** Null where `up` has not said what is in force: then everything that is loaded is on. */
  inForce: InForce | null;
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
  /** Where it waits for a human: milliseconds. */
  budgetMs?: number;
  enabled(context: HandlerContext): boolean;
  handle(context: HandlerContext): EventAnswer | null | Promise<EventAnswer | null>;
}

/** What a handler was told in `gastown.yaml`; a value of the wrong kind is refused long before. */
export const optionOf = <T extends string | number | boolean | readonly string[]>(
  { inForce }: HandlerContext,
  name: HandlerName,
  key: string,
  otherwise: T,
): T => (inForce?.options[name]?.[key] as T | undefined) ?? otherwise;

/** Where the agent works, absolute. */
export const treeOf = ({ agent, stateDir }: Pick<HandlerContext, 'agent' | 'stateDir'>): string =>
  agent.worktree ?? dirname(dirname(stateDir));

/** Off by configuration, or for this role. What is not of the catalogue is always on. */
export function isOn({ inForce, agent }: Pick<HandlerContext, 'inForce' | 'agent'>, name: string): boolean {
  if (inForce === null || !isHandler(name)) return true;
  return inForce.roles[agent.role as Role]?.on.includes(name) ?? true;
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
  let permission: Decision = null;
  let taken = false;
  const ordered = handlers
    .filter(({ events, name }) => events.includes(context.event.kind) && isOn(context, name))
    .sort((a, b) => a.priority - b.priority);
  for (const handler of ordered) {
    try {
      if (!handler.enabled(context)) continue;
      const answer = await within(handler.budgetMs ?? budgetMs, handler.handle(context));
      // Nothing empty is ever injected (seed 004, empty-message-sanitizer).
      if (answer?.context?.trim()) texts.push(answer.context);
      block ??= answer?.block ?? null;
      permission = stricter(permission, answer?.permission ?? null);
      taken ||= answer?.taken === true;
    } catch (error) {
      context.trouble(`handler ${handler.name}: ${errorText(error)}`);
    }
  }
  return { context: texts.length === 0 ? null : texts.join('\n\n'), block, permission, taken };
}

/** Of several decisions the strictest stands. */
const stricter = (a: Decision, b: Decision): Decision => (a === null || b?.behavior === 'deny' ? (b ?? a) : a);
type Decision = NonNullable<EventAnswer['permission']> | null;

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
