import { type ControlConnection, openConnection } from './control-connection.ts';
import type { Down, Reply, RunOptions, Tmux } from './driver.ts';
import { spawnTmux } from './spawn-client.ts';

export interface ControlOptions {
  bin?: string;
  /** Session to attach to: nobody kills it, so that no agent's end detaches us. */
  anchor?: string;
  /** Time limit of one command; passing it tears the connection down. */
  timeoutMs?: number;
  /** What tmux announces: `window-close @3`, `layout-change …`; `name` without the percent sign. */
  onNotification?: (name: string, rest: string) => void;
  /** The connection is lost; `gone`: no server listens any more, proven. Said once per loss, at once. */
  onDown?: (how: Down) => void;
  /** Connected again; whatever was known of panes must be read again. */
  onUp?: () => void;
}

/** First, and longest, pause before the next attempt to connect, in milliseconds. */
const retryMs = { first: 250, most: 5_000 };

/**
 * A `Tmux` over one `tmux -C` connection: a command costs a tenth of a millisecond instead of a process. Reconnects by
 * itself, never starts a server. While there is no connection every command is answered `gone` or `unknown` at once.
 */
export async function connectControl(socket: string, options: ControlOptions = {}): Promise<Tmux> {
  const { bin = 'tmux', anchor = 'anchor', timeoutMs = 5_000 } = options;
  const spawned = spawnTmux(socket, { bin });
  let connection: ControlConnection | null = null;
  let attempt: Promise<void> | null = null;
  let attemptedAt = Number.NEGATIVE_INFINITY;
  let down: Down = { kind: 'unknown', why: 'not connected yet' };
  let pauseMs = retryMs.first;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = (): Promise<void> => {
    attempt ??= attemptOnce().finally(() => {
      attempt = null;
    });
    return attempt;
  };

  const attemptOnce = async (): Promise<void> => {
    clearTimeout(timer);
    attemptedAt = performance.now();
    const opened = await openConnection({
      bin,
      socket,
      anchor,
      timeoutMs,
      onNotification: (name, rest) => options.onNotification?.(name, rest),
      onEnd: (how) => {
        if (connection !== opened) return;
        connection = null;
        lost(how);
        options.onDown?.(how);
      },
    });
    if (!('run' in opened)) return lost(opened);
    if (closed) return opened.end();
    connection = opened;
    pauseMs = retryMs.first;
  };

  const lost = (how: Down): void => {
    down = how;
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      void connect().then(() => connection && options.onUp?.());
    }, pauseMs);
    // A waiting retry must not keep a program alive that has nothing else to do.
    timer.unref();
    pauseMs = Math.min(pauseMs * 2, retryMs.most);
  };

  /** The live connection; after a loss one attempt is made for whoever asks, at most four a second. */
  const connected = async (): Promise<ControlConnection | null> => {
    if (!connection && !closed && (attempt || performance.now() - attemptedAt >= retryMs.first)) {
      await connect();
      if (connection) options.onUp?.();
    }
    return connection;
  };

  const run = async (command: readonly string[], { input, timeoutMs: limitMs }: RunOptions = {}): Promise<Reply> => {
    // A control client has no standard input to give to a command; a process of its own does.
    if (input !== undefined) return spawned.run(command, { input, timeoutMs: limitMs ?? 10_000 });
    return (await connected())?.run(command, limitMs ?? timeoutMs) ?? down;
  };

  await connect();
  return {
    socket,
    run,
    async runAll(commands, { input, timeoutMs: limitMs = timeoutMs } = {}) {
      if (input !== undefined) return spawned.runAll(commands, { input });
      const current = await connected();
      return Promise.all(commands.map((command) => current?.run(command, limitMs) ?? down));
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await attempt;
      const current = connection;
      connection = null;
      down = { kind: 'unknown', why: 'the connection was closed' };
      await current?.end();
    },
  };
}
