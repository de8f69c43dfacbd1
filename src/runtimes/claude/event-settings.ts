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

/**
 * A tool's event carries a word for its kind, sorted by Claude's own matchers, so that what runs on every call need not
 * read the payload. The two last wait for the human.
 */
const toolKinds = {
  Agent: 'Agent|Task',
  Bash: 'Bash',
  Edit: 'Edit|MultiEdit|NotebookEdit|Write',
  Read: 'Read',
  Search: 'Glob|Grep',
  Web: 'WebFetch|WebSearch',
  AskUserQuestion: 'AskUserQuestion',
  ExitPlanMode: 'ExitPlanMode',
} as const;
const otherTools = `^(?!(${Object.values(toolKinds).join('|')})$).*`;

const toolEvents = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure'] as const;

const plainEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
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
  const toolEntries = (event: string): EventEntry[] => [
    entry(`${event} tool`, otherTools),
    ...Object.entries(toolKinds).map(([kind, tools]) => entry(`${event} ${kind}`, tools)),
  ];
  return {
    permissions: { allow: [`Bash(${shellWord(`${binDir}/gt`)}:*)`] },
    hooks: Object.fromEntries([
      ...plainEvents.map((event): [string, EventEntry[]] => [event, [entry(event)]]),
      ...toolEvents.map((event): [string, EventEntry[]] => [event, toolEntries(event)]),
    ]),
  };
}
