/** Scripted answers of the model, with the name each runtime gives its shell tool. */
import type { RealRuntime } from './install.ts';

export interface Turn {
  text?: string;
  tool?: string;
  args?: unknown;
  /** Codex: the group the tool belongs to. */
  namespace?: string;
  tools?: readonly { name: string; args: unknown }[];
  delay_ms?: number;
  chunk_ms?: number;
  chunks?: number;
  hang?: true | 'stream';
  error?: number;
  error_message?: string;
  /** The whole body of the error, in place of one made from the message. */
  error_body?: unknown;
}

export interface Scenario {
  turns?: readonly Turn[];
  /** Turns of one agent among several: `match` is a regular expression that only its requests satisfy. */
  queues?: readonly { match: string; turns: readonly Turn[] }[];
  routes?: readonly { match: string; turn: Turn; times?: number }[];
  default?: Turn;
}

/** The model runs one shell command. GT_BIN is the absolute path of `gt` in every agent's pane. */
export function shellTurn(runtime: RealRuntime, command: string, text = 'Running a command.'): Turn {
  switch (runtime) {
    case 'claude':
      return { text, tool: 'Bash', args: { command, description: 'a step' } };
    case 'codex':
      return { text, tool: 'exec_command', args: { cmd: command } };
    case 'gemini':
      return { text, tool: 'run_shell_command', args: { command, description: 'a step' } };
    case 'opencode':
      return { text, tool: 'bash', args: { command, description: 'a step' } };
  }
}

/**
 * What an obedient agent does with a bead: begins, writes `file` in its tree, finishes. With `prime` it first runs
 * `gt prime`, as one that was told so by a typed line.
 */
export const workTurns = (runtime: RealRuntime, file: string, { prime = false } = {}): Turn[] => [
  ...(prime ? [shellTurn(runtime, '"$GT_BIN" prime')] : []),
  shellTurn(runtime, '"$GT_BIN" hook start'),
  shellTurn(runtime, `printf 'done by ${runtime}\\n' > ${file}`),
  shellTurn(runtime, '"$GT_BIN" done'),
  { text: 'The bead is finished.' },
];
