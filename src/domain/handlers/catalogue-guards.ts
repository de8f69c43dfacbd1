/** The part of the catalogue that validates and recovers. */
import { knownRuntimes as all, type Entry, everyRole as every } from './entry.ts';

export const guardHandlers = {
  'thinking-block-validator': {
    looks: [{ kind: 'turn_failed' }],
    priority: 40,
    on: true,
    roles: every,
    does: 'No event can edit messages. A turn that failed because thinking blocks and tool calls no longer fit together is told apart: the row says that only a fresh session helps, and the journal keeps it.',
    runtimes: ['claude', 'opencode'],
    relies: {
      claude: 'keeps the thinking blocks of its messages and their signatures in order',
      codex: 'keeps its reasoning items itself, and has no event for a failed turn',
      gemini: 'keeps its thoughts itself, and has no event for a failed turn',
      opencode: 'keeps the parts of its messages in order',
    },
  },
  'empty-message-sanitizer': {
    looks: [{ kind: 'prompt' }],
    priority: 1,
    on: true,
    roles: every,
    does: 'A prompt of nothing but blanks and invisible characters is refused before it costs a turn; nothing empty is ever injected or typed.',
    runtimes: ['claude', 'codex', 'gemini'],
    relies: { opencode: 'sends no empty prompt, and its plugin cannot refuse one' },
  },
  'comment-checker': {
    looks: [{ kind: 'tool_end', tools: ['Edit'] }],
    priority: 60,
    on: false,
    roles: every,
    does: 'After an edit it counts the comments that were added and shows the first lines: keep what says why, drop what repeats the code.',
    runtimes: all,
  },
  'permission-handler': {
    looks: [{ kind: 'permission' }],
    priority: 10,
    on: true,
    roles: every,
    does: 'Answers by the lists of gastown.yaml; else the request waits a few seconds in the control pane while somebody looks, then the runtime asks itself.',
    runtimes: ['claude', 'codex'],
    relies: {
      gemini: 'only tells of its prompt; it is answered in its pane',
      opencode: 'only tells of its prompt; it is answered in its pane',
    },
  },
  recovery: {
    looks: [
      { kind: 'tool_end', failed: true },
      { kind: 'tool_end', tools: ['Edit'], runtimes: ['codex', 'gemini', 'opencode'] },
    ],
    priority: 50,
    on: true,
    roles: every,
    does: 'An edit that did not match is answered with what to do (read the file again), the same failure again and again with: change your approach. Sessions are recovered by resuming them in a fresh pane.',
    runtimes: all,
  },
  'preemptive-compaction': {
    looks: [{ kind: 'stop' }, { kind: 'prompt' }, { kind: 'compact_end' }, { kind: 'session_start' }],
    priority: 45,
    on: true,
    roles: every,
    does: 'A gauge of the context window in the row, from the session’s own transcript; at the threshold one hint to hand over or compact, until it was compacted.',
    runtimes: ['claude', 'codex'],
    relies: {
      gemini: 'compresses by itself and writes no usage where events find it',
      opencode: 'compacts by itself and shows its own gauge',
    },
  },
  'pre-compact': {
    looks: [{ kind: 'compact_start' }, { kind: 'compact_end' }, { kind: 'session_start' }, { kind: 'prompt' }],
    priority: 25,
    on: true,
    roles: every,
    does: 'A checkpoint before the compaction (hook, modes, todos, last prompt, priority notes), given back when the session goes on, and once.',
    runtimes: all,
  },
} as const satisfies Record<string, Entry>;
