/** Claude Code's events. Recorded from 2.1.197 and 2.1.332; a key that is missing there is read as "does not tell". */
import {
  type EventAnswer,
  type EventFormat,
  type EventKind,
  eventOf,
  listAt,
  questionText,
  type RuntimeEvent,
  sessionIdOf,
  type ToolCall,
  textAt,
} from '../../domain/event.ts';
import { answerLine } from '../event-answer.ts';

const kinds: Readonly<Record<string, EventKind>> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'tool_start',
  PostToolUse: 'tool_end',
  PostToolUseFailure: 'tool_end',
  PermissionDenied: 'tool_end',
  PostToolBatch: 'batch_end',
  PermissionRequest: 'permission',
  SubagentStart: 'subagent_start',
  SubagentStop: 'subagent_end',
  Stop: 'stop',
  StopFailure: 'turn_failed',
  Interrupt: 'interrupt',
  PreCompact: 'compact_start',
  PostCompact: 'compact_end',
  SessionEnd: 'session_end',
};

const questionTools: readonly string[] = ['AskUserQuestion', 'request_user_input'];

type Payload = Readonly<Record<string, unknown>>;

export const claudeEvents: EventFormat = { parse: parseClaude, format: formatClaude };

/** Codex writes the same shape; `subagent` is the top-level stamp wherever it stands in the object (seed 003). */
export function parseClaude(name: string, payload: Payload): RuntimeEvent {
  const kind = kindOf(name, payload);
  return eventOf({
    kind,
    name,
    session_id: sessionIdOf(payload['session_id']),
    subagent: textAt(payload, 'agent_id'),
    source: textAt(payload, 'source') ?? textAt(payload, 'reason'),
    cwd: textAt(payload, 'cwd'),
    transcript: textAt(payload, 'transcript_path'),
    prompt: kind === 'prompt' ? (textAt(payload, 'prompt') ?? '') : null,
    tool: toolOf(payload),
    ended: listAt(payload, 'tool_calls').flatMap((call) => textAt(call, 'tool_use_id') ?? []),
    stopBlocked: payload['stop_hook_active'] === true,
    running: runningOf(payload),
    text: textAt(payload, 'last_assistant_message') ?? textAt(payload, 'message') ?? textAt(payload, 'error'),
    payload,
  });
}

function kindOf(name: string, payload: Payload): EventKind {
  if (name === 'Notification') {
    const type = textAt(payload, 'notification_type');
    return type === 'idle_prompt' ? 'waiting' : type === 'permission_prompt' ? 'permission' : 'other';
  }
  const kind = Object.hasOwn(kinds, name) ? (kinds[name] ?? 'other') : 'other';
  // The runtime itself tells the parent that a subagent ended: nobody spoke, so a declaration stands (seed 003).
  return kind === 'prompt' && /^\s*<task-notification>/.test(textAt(payload, 'prompt') ?? '') ? 'other' : kind;
}

function toolOf(payload: Payload): ToolCall | null {
  const name = textAt(payload, 'tool_name');
  if (name === null) return null;
  const input = payload['tool_input'] ?? null;
  return {
    id: textAt(payload, 'tool_use_id') ?? `tool:${name}`,
    name,
    question: questionTools.includes(name) ? questionText(input) : null,
    input,
    response: payload['tool_response'] ?? null,
  };
}

/** Only subagents keep a session at work after its stop; a shell in the background may run for ever. */
function runningOf(payload: Payload): readonly string[] | null {
  if (!Array.isArray(payload['background_tasks'])) return null;
  return listAt(payload, 'background_tasks')
    .filter((task) => task['type'] === 'subagent' && task['status'] === 'running')
    .flatMap((task) => textAt(task, 'id') ?? []);
}

const contextEvents: readonly string[] = ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'];

export function formatClaude(event: RuntimeEvent, answer: EventAnswer): string {
  const reason = answer.block ?? null;
  if (reason !== null) {
    if (event.name === 'PreToolUse') {
      return answerLine({
        hookSpecificOutput: {
          hookEventName: event.name,
          permissionDecision: 'deny',
          permissionDecisionReason: reason,
        },
      });
    }
    // `continue: false` would end the session; a block makes the turn go on with the reason (decision 10).
    if (['Stop', 'SubagentStop'].includes(event.name)) {
      return answerLine({ continue: true, decision: 'block', reason });
    }
    if (['UserPromptSubmit', 'PostToolUse'].includes(event.name)) return answerLine({ decision: 'block', reason });
    return '';
  }
  if (answer.permission != null && event.name === 'PermissionRequest') {
    const { behavior, message } = answer.permission;
    const decision = behavior === 'allow' ? { behavior } : { behavior, message };
    return answerLine({ hookSpecificOutput: { hookEventName: event.name, decision } });
  }
  const context = answer.context ?? null;
  if (context === null || !contextEvents.includes(event.name)) return '';
  return answerLine({ hookSpecificOutput: { hookEventName: event.name, additionalContext: context } });
}
