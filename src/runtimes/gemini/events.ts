/** Gemini CLI's events (recorded from 0.61.0). It names no tool call and no subagent: a call is known by its tool. */
import {
  type EventAnswer,
  type EventFormat,
  type EventKind,
  eventOf,
  questionText,
  type RuntimeEvent,
  sessionIdOf,
  textAt,
} from '../../domain/event.ts';
import { answerLine } from '../event-answer.ts';

const kinds: Readonly<Record<string, EventKind>> = {
  SessionStart: 'session_start',
  BeforeAgent: 'prompt',
  BeforeTool: 'tool_start',
  AfterTool: 'tool_end',
  AfterAgent: 'stop',
  PreCompress: 'compact_start',
  SessionEnd: 'session_end',
};

const questionTool = 'ask_user';

export const geminiEvents: EventFormat = {
  parse: (name, payload) => {
    const tool = textAt(payload, 'tool_name');
    const input = payload['tool_input'] ?? null;
    const permission = name === 'Notification' && textAt(payload, 'notification_type') === 'ToolPermission';
    const kind = permission ? 'permission' : Object.hasOwn(kinds, name) ? (kinds[name] ?? 'other') : 'other';
    return eventOf({
      kind,
      name,
      session_id: sessionIdOf(payload['session_id']),
      source: textAt(payload, 'source') ?? textAt(payload, 'reason'),
      cwd: textAt(payload, 'cwd'),
      transcript: textAt(payload, 'transcript_path'),
      prompt: kind === 'prompt' ? (textAt(payload, 'prompt') ?? '') : null,
      tool:
        tool === null
          ? null
          : {
              id: `tool:${tool}`,
              name: tool,
              question: tool === questionTool ? questionText(input) : null,
              input,
              response: payload['tool_response'] ?? null,
            },
      stopBlocked: payload['stop_hook_active'] === true,
      text: textAt(payload, 'prompt_response') ?? textAt(payload, 'message'),
      payload,
    });
  },
  format: formatGemini,
};

/** Plain text is not injected, and Claude's `permissionDecision` is ignored here: the tool would run. */
function formatGemini(event: RuntimeEvent, answer: EventAnswer): string {
  const reason = answer.block ?? null;
  if (reason !== null) {
    if (event.name === 'AfterAgent') return answerLine({ decision: 'block', reason });
    if (['BeforeTool', 'BeforeAgent'].includes(event.name)) return answerLine({ decision: 'deny', reason });
    return '';
  }
  const context = answer.context ?? null;
  if (context === null || !['SessionStart', 'BeforeAgent', 'AfterTool'].includes(event.name)) return '';
  return answerLine({ hookSpecificOutput: { hookEventName: event.name, additionalContext: context } });
}
