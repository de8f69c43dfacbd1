import { spawn, spawnSync } from 'node:child_process';
import type { Reply, RunOptions, Tmux } from './driver.ts';
import { clientEnvironment } from './environment.ts';
import { argvWord } from './quote.ts';
import { closingMs, socketIsGone } from './reach.ts';

export interface SpawnOptions {
  /** The tmux program; `tmux` on PATH when missing. */
  bin?: string;
  /** Time limit of one process, in milliseconds. */
  timeoutMs?: number;
  /** For a program that does nothing else meanwhile: the process waits for each answer, which takes Node half the time. */
  blocking?: boolean;
}

/**
 * A `Tmux` that spawns one short `tmux` a call, for programs that ask once or twice. Never starts a server (`-N`).
 * Plain node:child_process: loading execa costs more than the whole call, and `status` has a bar to keep.
 */
export function spawnTmux(
  socket: string,
  { bin = 'tmux', timeoutMs = 10_000, blocking = false }: SpawnOptions = {},
): Tmux {
  const once = blocking ? spawnBlocking : spawnOnce;
  const call = (words: readonly string[], options: RunOptions): Promise<Ended> =>
    once(bin, ['-S', socket, '-u', '-N', ...words], { timeoutMs, ...options });

  const run = async (command: readonly string[], options: RunOptions = {}): Promise<Reply> =>
    toReply(socket, await call(command.map(argvWord), options));

  return {
    socket,
    run,
    runAll: (commands, options = {}) => runChained(commands, call, options, socket),
    close: async () => {},
  };
}

/** A command line has a limit (tmux's messages 16 KiB); what does not fit goes into the next process. */
const chainBytes = 12_000;
/** Printed between commands; of this process alone, so that no pane shows it by chance. */
const mark = `gastown-mark-${process.pid.toString(36)}-${Math.trunc(performance.timeOrigin).toString(36)}`;

/**
 * Several commands in one process, joined by `;` with a mark printed after each. tmux drops the rest of a chain after an
 * error, so the answer of command k is its error and the chain goes on with k+1 in a fresh process.
 */
async function runChained(
  commands: readonly (readonly string[])[],
  call: (words: readonly string[], options: RunOptions) => Promise<Ended>,
  { input, ...limits }: RunOptions,
  socket: string,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  while (replies.length < commands.length) {
    const chain = fitting(commands.slice(replies.length));
    const options = replies.length === 0 && input !== undefined ? { ...limits, input } : limits;
    const ended = await call(
      chain.flatMap((command) => [...command.map(argvWord), ';', 'display-message', '-p', mark, ';']),
      options,
    );
    const done = splitAtMarks(ended.stdout);
    replies.push(...done.map((lines): Reply => ({ kind: 'ok', lines })));
    if (done.length === chain.length) continue;
    const failed = await toReply(socket, ended.code === 0 ? { ...ended, code: 1 } : ended);
    replies.push(failed);
    // Without a server, or without knowledge of what ran, the rest must not be sent blindly.
    if (failed.kind !== 'error') while (replies.length < commands.length) replies.push(failed);
  }
  return replies;
}

function fitting(commands: readonly (readonly string[])[]): (readonly string[])[] {
  let bytes = 0;
  const end = commands.findIndex((command) => {
    bytes += command.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, mark.length + 30);
    return bytes > chainBytes;
  });
  return commands.slice(0, end === -1 ? commands.length : Math.max(1, end));
}

function splitAtMarks(stdout: string): string[][] {
  const done: string[][] = [];
  let current: string[] = [];
  for (const line of toLines(stdout)) {
    if (line !== mark) {
      current.push(line);
      continue;
    }
    done.push(current);
    current = [];
  }
  return done;
}

const toLines = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

interface Ended {
  /** Exit code; null when killed, not started, or out of time (`why` tells). */
  code: number | null;
  stdout: string;
  stderr: string;
  why: string;
}

/** `no server`, `error connecting`, `lost server`, `server exited`: the command may not have reached a server. */
const unreachable = /^(no server running|error connecting|lost server|server exited|failed to connect)/m;

async function toReply(socket: string, ended: Ended): Promise<Reply> {
  const message = ended.stderr.trim();
  if (ended.code === 0) return { kind: 'ok', lines: toLines(ended.stdout) };
  if (ended.code === null) return { kind: 'unknown', why: ended.why };
  if (message !== '' && !unreachable.test(message)) return { kind: 'error', message };
  if (await socketIsGone(socket, message === '' ? 0 : closingMs)) {
    return { kind: 'gone', why: `no tmux server listens at ${socket}` };
  }
  // Some commands, has-session -q alike, fail without a word.
  if (message === '') return { kind: 'error', message: `tmux exited with ${ended.code}` };
  return { kind: 'unknown', why: message };
}

/** One process, its output and its end; killed at the time limit. */
function spawnOnce(
  bin: string,
  argv: readonly string[],
  { input, timeoutMs }: { input?: Buffer | string; timeoutMs: number },
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(bin, argv, {
      env: clientEnvironment(),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let why = '';
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, why, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    };
    const timer = setTimeout(() => {
      why = `tmux did not answer within ${timeoutMs} ms`;
      child.kill('SIGKILL');
      // A server that hangs holds copies of the client's pipes: "close" would come only when it goes on.
      child.stdout?.destroy();
      child.stderr?.destroy();
      finish(null);
    }, timeoutMs);
    child.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', (error) => {
      why = `tmux could not be started: ${error.message}`;
      finish(null);
    });
    child.once('close', (code, signal) => {
      if (code === null && why === '') why = `tmux was ended by ${signal}`;
      finish(why === '' ? code : null);
    });
    // A client that ends before it has read everything breaks the pipe; its exit tells the story.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

async function spawnBlocking(
  bin: string,
  argv: readonly string[],
  { input, timeoutMs }: { input?: Buffer | string; timeoutMs: number },
): Promise<Ended> {
  const { status, signal, error, stdout, stderr } = spawnSync(bin, argv, {
    env: clientEnvironment(),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    ...(input === undefined ? {} : { input }),
  });
  if (error === undefined && status !== null) return { code: status, why: '', stdout, stderr };
  const isLate = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT';
  const why = isLate
    ? `tmux did not answer within ${timeoutMs} ms`
    : error
      ? `tmux could not be started: ${error.message}`
      : `tmux was ended by ${signal}`;
  return { code: null, why, stdout: stdout ?? '', stderr: stderr ?? '' };
}
