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

/** The tool that asks the human has an entry of its own: the common one leaves its payload unread. */
const questionTool = 'ask_user';

interface GeminiGroup {
  matcher?: string;
  hooks: { type: 'command'; name: string; command: string; timeout: number }[];
}
export interface GeminiHooks {
  hooks: Record<string, GeminiGroup[]>;
}

export const geminiHooks = (): GeminiHooks => ({
  hooks: Object.fromEntries(
    events.map((event) => [
      event,
      event === 'BeforeTool' || event === 'AfterTool'
        ? [group(event), { matcher: `^${questionTool}$`, ...group(`${event} ${questionTool}`) }]
        : [group(event)],
    ]),
  ),
});

const group = (words: string): GeminiGroup => ({
  hooks: [
    { type: 'command', name: `gastown-${words.replace(' ', '-')}`, command: guardedCommand(words), timeout: 10_000 },
  ],
});
