/** A town whose handlers are in force, one agent of a runtime, and recorded payloads fired through the wired entry. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HandlersConfig } from '../../../src/domain/handlers/options.ts';
import type { Role } from '../../../src/domain/role.ts';
import { putInForce } from '../../../src/town/handlers/put-in-force.ts';
import { agentId, type EventTown, haveSession, openEventTown, sessionId } from './event-town.ts';

export type KnownRuntime = 'claude' | 'codex' | 'gemini' | 'opencode';

export interface HandlerTown extends EventTown {
  /** The text of a file below the root, written. */
  write(path: string, text: string): string;
  /** Puts another configuration in force. */
  configure(handlers: HandlersConfig): Promise<void>;
  /** One event; the text that the agent would be given, and the whole answer. */
  say(words: string, payload: Record<string, unknown>): Promise<{ context: string; out: string; answer: Answered }>;
  journal(kind: string): Record<string, unknown>[];
  state<T>(handler: string, session?: string | null): T | null;
}

interface Answered {
  context?: string;
  block?: string;
  decision?: string;
  reason?: string;
  hookSpecificOutput?: {
    additionalContext?: string;
    permissionDecision?: string;
    permissionDecisionReason?: string;
    decision?: { behavior: string; message?: string };
  };
}

export async function openHandlerTown(
  runtime: KnownRuntime,
  handlers: HandlersConfig = {},
  role: Role = 'polecat',
): Promise<HandlerTown> {
  const town = await openEventTown({ runtime });
  await haveSession(town, { status: 'active' });
  await town.store.agents.update(
    agentId,
    (agent) => agent && { ...agent, role, first_event_at: '2026-01-01T00:00:00.000Z' },
  );
  const configure = async (config: HandlersConfig): Promise<void> => {
    await putInForce({ store: town.store, root: town.root, config: { agents: [], handlers: config } });
  };
  await configure(handlers);
  const env = { GT_RUNTIME: runtime };
  return {
    ...town,
    configure,
    write: (path, text) => {
      mkdirSync(dirname(join(town.root, path)), { recursive: true });
      writeFileSync(join(town.root, path), text);
      return join(town.root, path);
    },
    say: async (words, payload) => {
      const { out } = await town.fire(words, payload, env);
      const answer = out === '' ? {} : (JSON.parse(out) as Answered);
      return { out, answer, context: answer.hookSpecificOutput?.additionalContext ?? answer.context ?? '' };
    },
    journal: (kind) =>
      readOr(town.store.paths.journal)
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((entry) => entry['kind'] === kind),
    state: (handler, session = sessionId) => {
      const { paths } = town.store;
      const path = session === null ? paths.handlerState(handler) : paths.handlerSessionState(handler, session);
      const text = readOr(path);
      return text === '' ? null : JSON.parse(text);
    },
  };
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const folder = new URL('../../support/real-runtimes/payloads/', import.meta.url).pathname;

/** A payload as the real runtime sent it, in this town's session, with some fields replaced. */
export function recorded(runtime: KnownRuntime, name: string, fields: object = {}): Record<string, unknown> {
  const payload = JSON.parse(readFileSync(join(folder, runtime, `${name}.json`), 'utf8')) as Record<string, unknown>;
  return { ...payload, session_id: sessionId, ...fields };
}

/** What each runtime calls an event, and the words its settings put after it. */
export const eventWords = {
  claude: {
    prompt: 'UserPromptSubmit',
    stop: 'Stop',
    start: 'PreToolUse',
    end: 'PostToolUse',
    failed: 'PostToolUseFailure',
  },
  codex: { prompt: 'UserPromptSubmit', stop: 'Stop', start: 'PreToolUse', end: 'PostToolUse', failed: 'PostToolUse' },
  gemini: { prompt: 'BeforeAgent', stop: 'AfterAgent', start: 'BeforeTool', end: 'AfterTool', failed: 'AfterTool' },
  opencode: {
    prompt: 'chat.message',
    stop: 'session.idle',
    start: 'tool.execute.before',
    end: 'tool.execute.after',
    failed: 'tool.execute.after',
  },
} as const;

/** A prompt of a human, as the runtime hands it over. */
export function promptOf(runtime: KnownRuntime, prompt: string): Record<string, unknown> {
  if (runtime === 'opencode') return { session_id: sessionId, subagent: null, cwd: '/repo', prompt };
  return recorded(runtime, runtime === 'gemini' ? 'BeforeAgent' : 'UserPromptSubmit', { prompt });
}

/** The tools of each runtime by kind, with their inputs' own names. */
const tools = {
  claude: { Edit: 'Edit', Bash: 'Bash', Read: 'Read', Agent: 'Agent', Search: 'Grep' },
  codex: { Edit: 'apply_patch', Bash: 'Bash', Read: 'read_file', Agent: 'task', Search: 'grep' },
  gemini: { Edit: 'replace', Bash: 'run_shell_command', Read: 'read_file', Agent: 'task', Search: 'glob' },
  opencode: { Edit: 'edit', Bash: 'bash', Read: 'read', Agent: 'task', Search: 'grep' },
} as const;

export type Tool = keyof (typeof tools)['claude'];

/** Words and payload of a tool's event, from a recorded one of the runtime. */
export function toolOf(
  runtime: KnownRuntime,
  phase: 'start' | 'end' | 'failed',
  tool: Tool,
  input: Record<string, unknown>,
  fields: Record<string, unknown> = {},
): [words: string, payload: Record<string, unknown>] {
  const event = eventWords[runtime][phase];
  const name = tools[runtime][tool];
  if (runtime === 'opencode') {
    const words = `${event} ${tool}`;
    return [
      words,
      { session_id: sessionId, subagent: null, cwd: '/repo', tool: name, call_id: 'call_1', args: input, ...fields },
    ];
  }
  const base = {
    claude: phase === 'start' ? 'PreToolUse' : 'PostToolUse',
    codex: phase === 'start' ? 'PreToolUse' : 'PostToolUse',
    gemini: phase === 'start' ? 'BeforeTool' : 'AfterTool',
  }[runtime];
  const payload = recorded(runtime, base, { hook_event_name: event, tool_name: name, tool_input: input, ...fields });
  return [runtime === 'claude' ? `${event} ${tool}` : event, payload];
}

/** The input of an edit in the runtime's own form. */
export function editOf(runtime: KnownRuntime, file: string, after: string, before = 'old'): Record<string, unknown> {
  switch (runtime) {
    case 'claude':
      return { file_path: file, old_string: before, new_string: after };
    case 'codex':
      return {
        command: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${before}\n${after.replace(/^/gm, '+')}\n*** End Patch`,
      };
    case 'gemini':
      return { file_path: file, old_string: before, new_string: after };
    case 'opencode':
      return { filePath: file, oldString: before, newString: after };
  }
}
