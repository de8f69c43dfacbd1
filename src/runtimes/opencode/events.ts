/**
 * opencode has no command hooks: its plugin (`plugin.ts`) calls the entry with this small payload of its own and carries
 * the answer out. Event names are opencode's (recorded from 1.18.33).
 */
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
  'session.created': 'session_start',
  'chat.message': 'prompt',
  'tool.execute.before': 'tool_start',
  'tool.execute.after': 'tool_end',
  'permission.asked': 'permission',
  'subagent.start': 'subagent_start',
  'subagent.end': 'subagent_end',
  'session.idle': 'stop',
  'session.error': 'turn_failed',
  'session.compacting': 'compact_start',
  'session.compacted': 'compact_end',
  'session.deleted': 'session_end',
};

export const opencodeEvents: EventFormat = {
  parse: (name, payload) => {
    const tool = textAt(payload, 'tool');
    const aborted = name === 'session.error' && textAt(payload, 'error') === 'MessageAbortedError';
    const kind = aborted ? 'interrupt' : Object.hasOwn(kinds, name) ? (kinds[name] ?? 'other') : 'other';
    return eventOf({
      kind,
      name,
      session_id: sessionIdOf(payload['session_id']),
      subagent: textAt(payload, 'subagent'),
      source: textAt(payload, 'source'),
      cwd: textAt(payload, 'cwd'),
      prompt: kind === 'prompt' ? (textAt(payload, 'prompt') ?? '') : null,
      tool:
        tool === null
          ? null
          : {
              id: textAt(payload, 'call_id') ?? `tool:${tool}`,
              name: tool,
              question: tool === 'question' ? questionText(payload['args']) : null,
              input: payload['args'] ?? null,
              response: null,
            },
      text: textAt(payload, 'message'),
      payload,
    });
  },
  format: (_event: RuntimeEvent, answer: EventAnswer) => {
    const context = answer.context ?? null;
    const block = answer.block ?? null;
    if (context === null && block === null) return '';
    return answerLine({ ...(context === null ? {} : { context }), ...(block === null ? {} : { block }) });
  },
};
