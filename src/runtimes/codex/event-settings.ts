/**
 * Codex's own hook file, for operators who want its events (`gastown events install codex`). It is the user's and serves
 * every town, so its commands are constant and silent outside a pane; one approval in Codex covers them all.
 */
import { guardedCommand } from '../guarded-command.ts';

/** Codex cuts the time of these two to 3 s, and its trust hash covers the cut value. */
const shortEvents: readonly string[] = ['SessionEnd', 'Interrupt'];

const codexEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'Stop',
  'PreCompact',
  'Interrupt',
  'SessionEnd',
] as const;

interface CodexHooks {
  hooks: Record<string, { hooks: { type: 'command'; command: string; timeout: number }[] }[]>;
}

export const codexHooks = (): CodexHooks => ({
  hooks: Object.fromEntries(
    codexEvents.map((event) => [
      event,
      [
        {
          hooks: [
            { type: 'command' as const, command: guardedCommand(event), timeout: shortEvents.includes(event) ? 3 : 10 },
          ],
        },
      ],
    ]),
  ),
});
