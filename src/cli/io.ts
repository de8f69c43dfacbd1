import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** The edge of the process, as one value: what a command may read and where it prints. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** All of standard input; refuses more than `limitBytes`. Empty when standard input is a terminal. */
  stdin(limitBytes: number): Promise<string>;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Both standard input and output are a terminal: something can be drawn and keys can be read. */
  isTerminal: boolean;
  /** Standard output may carry colour. */
  color: boolean;
  /** Columns of the terminal; null when output goes elsewhere. */
  columns: number | null;
}

export function processIo(): Io {
  const { env } = process;
  return {
    out: (text) => writeNow(1, text),
    err: (text) => writeNow(2, text),
    stdin: (limitBytes) => readAll(process.stdin, limitBytes),
    env,
    cwd: workingDirectory(),
    // Asked late: what prints JSON never needs to know, and the module is a tenth of its start.
    get isTerminal() {
      return isatty(0) && isatty(1);
    },
    get color() {
      return isatty(1) && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
    },
    get columns() {
      return isatty(1) ? process.stdout.columns || 80 : null;
    },
  };
}

/**
 * To the last byte before it returns, without Node's streams: they take longer to make than a status to print. A reader
 * that went away (`gastown log | head -1`) is no error of ours.
 */
function writeNow(fd: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') process.exit(process.exitCode ?? 0);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs);
    }
  }
}

/** A pipe that somebody made non-blocking is full: how long until it is tried again. */
const fullPipeMs = 5;

/** A deleted working directory is still a place: its name, as the shell knows it. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}

async function readAll(stdin: NodeJS.ReadStream, limitBytes: number): Promise<string> {
  if (stdin.isTTY) return '';
  const { usage } = await import('../domain/errors.ts');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    bytes += (chunk as Buffer).length;
    if (bytes > limitBytes) throw usage(`standard input is more than ${limitBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
