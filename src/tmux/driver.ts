/**
 * The one way to talk to the town's tmux server. Long-lived processes hold a control-mode connection, short ones spawn
 * `tmux`; both pass one conformance suite. Every query has four answers: "no server" and "cannot tell" are not errors
 * of the command (decision 17).
 */
export interface Tmux {
  /** Absolute path of the socket. */
  readonly socket: string;
  /** Runs one tmux command given as words; no word is ever read by a shell. `input` is its standard input. */
  run(command: readonly string[], options?: RunOptions): Promise<Reply>;
  /**
   * Runs commands in order, in as few round trips as possible; an error of one does not keep the next from running.
   * `input` is for the first command that reads its standard input.
   */
  runAll(commands: readonly (readonly string[])[], options?: RunOptions): Promise<Reply[]>;
  close(): Promise<void>;
}

export interface RunOptions {
  input?: Buffer | string;
  timeoutMs?: number;
}

export type Reply =
  /** What the command printed, one string a line. */
  | { kind: 'ok'; lines: string[] }
  /** tmux understood and said no. */
  | { kind: 'error'; message: string }
  /** Proven: nothing listens at that socket. */
  | { kind: 'gone'; why: string }
  /** A time-out, or anything else that does not tell whether the command was carried out. */
  | { kind: 'unknown'; why: string };

/** The two answers that say nothing about the command itself. */
export type Down = Extract<Reply, { kind: 'gone' | 'unknown' }>;

/** Why there is no output, as one sentence; null for an `ok`. */
export const replyProblem = (reply: { kind: 'ok' } | Exclude<Reply, { kind: 'ok' }>): string | null =>
  reply.kind === 'ok' ? null : reply.kind === 'error' ? reply.message : reply.why;
