/**
 * The catalogue of event handlers (seed 004): each of the 31 with what drives it, for whom it is on and what it does here.
 * Where the seed names something that no runtime can do (edit the messages, change the model of a session), `does` is the
 * useful equivalent, and `relies` says what a runtime itself does about it.
 */
import type { EventKind } from '../event.ts';
import { coordinationHandlers } from './catalogue-coordination.ts';
import { enhancementHandlers } from './catalogue-enhancement.ts';
import { guardHandlers } from './catalogue-guards.ts';
import { modeHandlers } from './catalogue-modes.ts';
import type { Entry, Look } from './entry.ts';
import { type HandlerGroup, type HandlerName, handlerGroups, handlerNames } from './names.ts';

export interface CatalogueEntry extends Entry {
  name: HandlerName;
  group: HandlerGroup;
}

const entries: Readonly<Record<HandlerName, Entry>> = {
  ...modeHandlers,
  ...guardHandlers,
  ...enhancementHandlers,
  ...coordinationHandlers,
};

const groupOf = (name: HandlerName): HandlerGroup =>
  (Object.keys(handlerGroups) as HandlerGroup[]).find((group) =>
    (handlerGroups[group] as readonly string[]).includes(name),
  ) ?? 'setup';

/** In the seed's order. */
export const catalogue: readonly CatalogueEntry[] = handlerNames.map((name) => ({
  name,
  group: groupOf(name),
  ...entries[name],
}));

export const entryOf = (name: HandlerName): CatalogueEntry => ({ name, group: groupOf(name), ...entries[name] });

/** The seed's names of the events: what Claude calls them. */
const eventNames: Readonly<Record<EventKind, readonly string[]>> = {
  session_start: ['SessionStart'],
  prompt: ['UserPromptSubmit'],
  tool_start: ['PreToolUse'],
  tool_end: ['PostToolUse', 'PostToolUseFailure'],
  batch_end: ['PostToolBatch'],
  permission: ['PermissionRequest'],
  waiting: ['Notification'],
  subagent_start: ['SubagentStart'],
  subagent_end: ['SubagentStop'],
  stop: ['Stop'],
  turn_failed: ['StopFailure'],
  interrupt: ['Interrupt'],
  compact_start: ['PreCompact'],
  compact_end: ['PostCompact'],
  session_end: ['SessionEnd'],
  other: [],
};

/** Names as people know them, each once. */
export const eventsOf = (looks: readonly Look[]): string[] => [
  ...new Set(looks.flatMap(({ kind, failed }) => (failed ? ['PostToolUseFailure'] : (eventNames[kind] ?? [])))),
];
