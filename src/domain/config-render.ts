/** The `gastown.yaml` that `init` writes: short, commented, and valid as it stands. */
import type { AgentEntry } from './config.ts';

/** Only plain words are written here, so no quoting is needed. */
export function renderConfig(entries: readonly AgentEntry[]): string {
  return `# The agents of this town. Bring it up with: gastown up
# One agent by id, or several by name: {name: polecat, runtime: claude, count: 3} makes polecat-alpha, polecat-bravo, …
#   role         polecat (works in a worktree of its own) unless given; crew and mayor work in the main checkout
#   runtime      claude, codex, gemini, opencode, sim (simulated), or one declared under "runtimes:"
#   permissions  what the agent may do without asking:
#                default    whatever the program does by itself: it asks
#                plan       looks and plans, changes nothing
#                auto-edit  edits files in its tree, asks for the rest
#                full       everything. Only where a mistake can do no harm
#   args, env    passed to the program
agents:
${entries.map(entryLine).join('\n')}

# Everything below may be left out; these are the defaults.

# default, wide, stacked, windows, swarm, or a file of yours in layouts/
# layout: default

# Polecats work in .chipset/worktrees/<agent>, on a branch of their own.
# worktrees: true

# Seconds without activity until work counts as stalled, between nudges, and until a restart.
# gupp:
#   thresholds: {stall_detection: 300, nudge_interval: 120, restart_threshold: 600}
#   limits: {max_restarts_per_bead: 3, restart_cooldown: 60}
#   runtimes: {claude: {stall_detection: 120}}

# Other programs as agents.
# runtimes:
#   aider: {command: aider, args: [--yes], strategy: prompt_preamble}

# Whether a handoff also needs the word of a human: optional or required.
# gate: {human_ack: optional}

# A tmux server of the town's own (private), or the one you use (default).
# tmux: {socket: private}

# How you hear of what needs you.
# notify: {desktop: true, webhook: null}

# Commands whose success clears a completed hook; without any, you do.
# verify: [npm test]

# Execution modes: the gates the town runs itself, who reviews, and how many agents one may use.
# modes: {build: npm run build, lint: npm run lint, test: npm test, reviewer: polecat-bravo, workers: 5}
`;
}

function entryLine(entry: AgentEntry): string {
  const pairs = Object.entries(entry).filter(([, value]) => value !== undefined);
  return `  - {${pairs.map(([key, value]) => `${key}: ${String(value)}`).join(', ')}}`;
}
