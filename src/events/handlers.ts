/** Which events load handlers, and which. All others are answered without their code. */
import type { EventKind, RuntimeEvent } from '../domain/event.ts';
import type { InForce, RoleInForce } from '../domain/handlers/in-force.ts';
import { toolKindOf } from '../domain/handlers/tools.ts';
import { triggerIn } from '../domain/mode/trigger.ts';
import { isGuardedTool } from '../domain/ultrapilot/ownership.ts';
import type { EventHandler } from './handler.ts';

export interface LoadFacts {
  /** The event binds its session to the agent: it began, or changed its id. */
  bound: boolean;
  /** Whether the session has execution modes on record; asked where that decides. */
  hasModes(): boolean;
  /** Null where nothing tells; `ofRole` is the part of the agent's role. */
  inForce: InForce | null;
  ofRole: RoleInForce | null;
  /** It is in an ultrapilot, so that what it writes is looked at. */
  isGuarded: boolean;
}

/**
 * A beginning has handlers; a prompt where it is the first sign of its session, leads with a word for modes or meets a
 * mode; the end of a turn where it meets a mode; every other event where a handler in force wants to see it.
 */
export async function handlersFor(
  event: RuntimeEvent,
  { bound, hasModes, inForce, ofRole, isGuarded }: LoadFacts,
): Promise<readonly EventHandler[]> {
  const small = async () => (await import('./small-handlers.ts')).smallHandlers(inForce);
  const isSeen = isLookedAt(event, ofRole) || (isGuarded && isGuardedWrite(event));
  const isAll =
    event.kind === 'session_start' ||
    (event.kind === 'prompt' && (bound || triggerIn(event.prompt ?? '') !== null || hasModes()));
  if (isAll) return [...(await import('./event-handlers.ts')).eventHandlers, ...(await small())];
  const stops = endsTurn.includes(event.kind) && hasModes() ? (await import('./stop-handlers.ts')).stopHandlers : [];
  return isSeen ? [...stops, ...(await small())] : stops;
}

const isGuardedWrite = ({ kind, tool }: RuntimeEvent): boolean =>
  kind === 'tool_start' && tool !== null && isGuardedTool(tool.name);

const endsTurn: readonly EventKind[] = ['stop', 'turn_failed', 'interrupt'];

function isLookedAt({ kind, name, tool }: RuntimeEvent, ofRole: RoleInForce | null): boolean {
  const look = ofRole?.look ?? [];
  if (kind !== 'tool_start' && kind !== 'tool_end') return look.includes(kind);
  return (
    (name === 'PostToolUseFailure' && look.includes('tool_failed')) ||
    (tool !== null && look.includes(`${kind}:${toolKindOf(tool.name)}`))
  );
}
