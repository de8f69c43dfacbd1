/** Gemini CLI's hooks, for operators who want its events. Its timeouts are milliseconds. */
import { guardedCommand } from '../guarded-command.ts';

const events = [
  'SessionStart',
  'BeforeAgent',
  'BeforeTool',
  'AfterTool',
  'AfterAgent',
  'Notification',
  'PreCompress',
  'SessionEnd',
] as const;

interface GeminiHooks {
  hooks: Record<string, { hooks: { type: 'command'; name: string; command: string; timeout: number }[] }[]>;
}

export const geminiHooks = (): GeminiHooks => ({
  hooks: Object.fromEntries(
    events.map((event) => [
      event,
      [
        {
          hooks: [
            { type: 'command' as const, name: `gastown-${event}`, command: guardedCommand(event), timeout: 10_000 },
          ],
        },
      ],
    ]),
  ),
});
