/**
 * The settings file of one Claude agent, given by `--settings`: its events are added to the project's own, which stay
 * untouched. Only events that versions since 2.1.197 know: an unknown name blocks the start with a menu.
 */
import { shellWord } from '../../domain/quote.ts';

interface ClaudeSettings {
  permissions: { allow: string[] };
  hooks: Record<string, EventEntry[]>;
}

interface EventEntry {
  matcher?: string;
  hooks: { type: 'command'; command: string; timeout: number }[];
}

/** Seconds Claude waits for one event call. */
const timeoutS = 10;

/** Tools whose events say more than "a tool runs": each has an entry of its own, called `<Event> <Tool>`. */
const rareTools = ['AskUserQuestion', 'ExitPlanMode'] as const;
const otherTools = `^(?!(${rareTools.join('|')})$).*`;

const plainEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PermissionRequest',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'StopFailure',
  'PreCompact',
  'SessionEnd',
] as const;

/**
 * `binDir` is the absolute path of `.chipset/bin`. The agent may call `gt` without being asked for permission: without
 * that, in the modes that ask, its very first step would wait for a human. Nothing else is allowed here (decision 13).
 */
export function claudeSettings(binDir: string): ClaudeSettings {
  const gtEvent = `${binDir}/gt-event`;
  const entry = (words: string, matcher?: string): EventEntry => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', command: `${shellWord(gtEvent)} ${words}`, timeout: timeoutS }],
  });
  const toolEvent = (event: string): [string, EventEntry[]] => [
    event,
    [entry(event, otherTools), ...rareTools.map((tool) => entry(`${event} ${tool}`, tool))],
  ];
  return {
    permissions: { allow: [`Bash(${shellWord(`${binDir}/gt`)}:*)`] },
    hooks: Object.fromEntries([
      ...plainEvents.map((event): [string, EventEntry[]] => [event, [entry(event)]]),
      toolEvent('PreToolUse'),
      toolEvent('PostToolUse'),
    ]),
  };
}
