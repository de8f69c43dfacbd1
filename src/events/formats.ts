/** The form of each runtime's events. Anything else, the `sim` among them, speaks Claude's. */
import type { EventFormat } from '../domain/event.ts';
import { claudeEvents } from '../runtimes/claude/events.ts';
import { codexEvents } from '../runtimes/codex/events.ts';
import { geminiEvents } from '../runtimes/gemini/events.ts';
import { opencodeEvents } from '../runtimes/opencode/events.ts';

const formats: Readonly<Record<string, EventFormat>> = {
  claude: claudeEvents,
  codex: codexEvents,
  gemini: geminiEvents,
  opencode: opencodeEvents,
};

export const formatOf = (runtime: string): EventFormat =>
  Object.hasOwn(formats, runtime) ? (formats[runtime] ?? claudeEvents) : claudeEvents;
