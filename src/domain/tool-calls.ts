/**
 * Tool calls in flight. The entry of an event appends `+<Tool>` when a call begins and `-<Tool>` when it ends to
 * `heartbeat/<agent>.calls`; a prompt, a stop and a new session begin it anew. Words, not ids: a shell writes them.
 */
import type { EventKind } from './event.ts';

/** The line for an event; null where it is no call. */
export const callLine = (kind: EventKind, tool: string): string | null =>
  kind === 'tool_start' ? `+${tool}` : kind === 'tool_end' ? `-${tool}` : null;

/** After these no call of the last turn can still be open. */
export const endsAllCalls = (kind: EventKind): boolean =>
  ['prompt', 'stop', 'turn_failed', 'interrupt', 'session_start', 'session_end'].includes(kind);

/** Tools whose calls are open, oldest first; `tool` where only that is known. Subagents' calls are among them. */
export function openCalls(text: string): string[] {
  const open: string[] = [];
  for (const line of text.split('\n')) {
    const tool = line.slice(1);
    if (line.startsWith('+')) open.push(tool);
    else if (line.startsWith('-') && open.includes(tool)) open.splice(open.indexOf(tool), 1);
  }
  return open;
}

/** Whether the last line began a call: then the tool heartbeat's time is that call's beginning. */
export const lastBegan = (text: string): boolean => text.trimEnd().split('\n').at(-1)?.startsWith('+') ?? false;
