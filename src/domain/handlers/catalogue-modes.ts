/** The part of the catalogue about execution modes: starts by a leading word, the authority on modes, the stop router. */
import type { Role } from '../role.ts';
import { knownRuntimes as all, type Entry, everyRole as every } from './entry.ts';

/** Panes that the town drives start nothing by a prompt. */
const humans: readonly Role[] = ['mayor', 'crew'];

const byPrompt = (does: string): Entry => ({
  looks: [{ kind: 'prompt' }],
  priority: 30,
  on: true,
  roles: humans,
  does,
  runtimes: all,
});

export const modeHandlers = {
  autopilot: byPrompt(
    '"autopilot …" or "build me …" at the head of a prompt starts it: phases that gt phase done and the town’s own gates advance.',
  ),
  ultrawork: byPrompt(
    '"ultrawork …" or "ulw …" at the head of a prompt: ready beads are given to as many idle agents as the budget allows.',
  ),
  ralph: byPrompt(
    '"ralph …" or "don’t stop …" at the head of a prompt: the stories of prd.json, one by one, until a reviewer has verified them.',
  ),
  ultrapilot: {
    looks: [{ kind: 'prompt' }, { kind: 'tool_start', tools: ['Edit', 'Bash'] }],
    priority: 12,
    on: true,
    roles: every,
    does: '"ultrapilot …" at the head of a prompt: parallel workers with exclusive file sets. A write of one of them outside its set is denied, and the owner named.',
    runtimes: all,
  },
  swarm: byPrompt(
    '"swarm N agents …" at the head of a prompt: tasks with leases that agents claim, from a store in SQLite.',
  ),
  ultraqa: byPrompt(
    '"ultraqa …" at the head of a prompt: the town runs the goal’s command and feeds the end of its output back until it passes.',
  ),
  'mode-registry': {
    looks: [{ kind: 'session_start' }, { kind: 'prompt' }],
    priority: 2,
    on: true,
    roles: every,
    does: 'The one authority on modes: "cancelomc", "stopomc" or "/cancel" ends them before the model reads it; a session that took another id keeps them.',
    runtimes: all,
  },
  'persistent-mode': {
    looks: [
      { kind: 'stop' },
      { kind: 'turn_failed' },
      { kind: 'interrupt' },
      { kind: 'prompt' },
      { kind: 'session_start' },
    ],
    priority: 5,
    on: true,
    roles: every,
    does: 'The stop router: a session in a mode that stops is sent on or let go, and told of its modes when it begins again.',
    runtimes: all,
  },
} as const satisfies Record<string, Entry>;
