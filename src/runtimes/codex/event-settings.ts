/**
 * Codex's own hook file, for operators who want its events (`gastown events install codex`). It is the user's and serves
 * every town, so its commands are constant and silent outside a pane; one approval in Codex covers them all.
 */
import { guardedCommand } from '../guarded-command.ts';
import { withQuestionEntries } from '../question-entries.ts';

/** Codex cuts the time of these two to 3 s, and its trust hash covers the cut value. */
const shortEvents: readonly string[] = ['SessionEnd', 'Interrupt'];

const codexEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'PostCompact',
  'Interrupt',
  'SessionEnd',
] as const;

interface CodexGroup {
  matcher?: string;
  hooks: { type: 'command'; command: string; timeout: number }[];
}
export interface CodexHooks {
  hooks: Record<string, CodexGroup[]>;
}

export const codexHooks = (): CodexHooks => ({
  hooks: withQuestionEntries(codexEvents, ['PreToolUse', 'PostToolUse'], 'request_user_input', group),
});

const group = (words: string): Omit<CodexGroup, 'matcher'> => ({
  hooks: [{ type: 'command', command: guardedCommand(words), timeout: shortEvents.includes(words) ? 3 : 10 }],
});
