/** The part of the catalogue that coordinates, and set-up. */
import type { Role } from '../role.ts';
import { knownRuntimes as all, type Entry, everyRole as every } from './entry.ts';

export const coordinationHandlers = {
  'todo-continuation': {
    looks: [{ kind: 'stop' }],
    priority: 4,
    on: true,
    roles: every,
    does: 'Counts the session’s own unfinished todos at a stop and names them where a mode sends it on; alone they hold nobody.',
    runtimes: ['claude'],
    relies: {
      codex: 'keeps its plan to itself',
      gemini: 'keeps its todos to itself',
      opencode: 'keeps its todos to itself',
    },
  },
  'omc-orchestrator': {
    looks: [{ kind: 'tool_start', tools: ['Edit'] }],
    priority: 11,
    on: true,
    roles: ['mayor', 'witness', 'refinery', 'polecat'] as readonly Role[],
    does: 'Who may write what: mayor and witness only documents and .chipset, workers only their own tree; anything else is denied, and the reason says who does it instead.',
    runtimes: all,
  },
  'subagent-tracker': {
    looks: [
      { kind: 'subagent_start' },
      { kind: 'subagent_end' },
      { kind: 'tool_start', tools: ['Agent'] },
      { kind: 'session_end' },
    ],
    priority: 41,
    on: true,
    roles: every,
    does: 'Subagents of a session as a tree in its row: kind, task, how long, how it ended. It answers nothing: words at a subagent’s end would run it again.',
    runtimes: ['claude', 'codex', 'opencode'],
    relies: { gemini: 'tells nothing of its subagents' },
  },
  'session-end': {
    looks: [{ kind: 'session_end' }],
    priority: 90,
    on: true,
    roles: every,
    does: 'Writes down that the session ended and returns; the deacon sums it up in the journal and clears what it left behind.',
    runtimes: all,
  },
  'background-notification': {
    looks: [{ kind: 'permission' }, { kind: 'waiting' }, { kind: 'turn_failed' }],
    priority: 91,
    on: true,
    roles: every,
    does: 'An agent that waits for a human, or whose turn failed, is told on the desktop, to the terminal, by webhook or sound, only when nobody is looking and never too often.',
    runtimes: ['claude', 'codex', 'gemini', 'opencode'],
  },
  setup: {
    looks: [{ kind: 'session_start' }],
    priority: 3,
    on: true,
    roles: every,
    does: 'At a session’s beginning the folders of the state are made and Claude’s shell finds gt; the deacon prunes what no living session owns.',
    runtimes: all,
  },
} as const satisfies Record<string, Entry>;
