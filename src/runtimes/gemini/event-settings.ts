/** Gemini CLI's hooks, for operators who want its events. Its timeouts are milliseconds. */
import { guardedCommand } from '../guarded-command.ts';
import { withQuestionEntries } from '../question-entries.ts';

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

interface GeminiGroup {
  matcher?: string;
  hooks: { type: 'command'; name: string; command: string; timeout: number }[];
}
export interface GeminiHooks {
  hooks: Record<string, GeminiGroup[]>;
}

export const geminiHooks = (): GeminiHooks => ({
  hooks: withQuestionEntries(events, ['BeforeTool', 'AfterTool'], 'ask_user', group),
});

const group = (words: string): Omit<GeminiGroup, 'matcher'> => ({
  hooks: [
    { type: 'command', name: `gastown-${words.replace(' ', '-')}`, command: guardedCommand(words), timeout: 10_000 },
  ],
});
