import { isatty } from 'node:tty';
import { workingDirectory, writeNow } from './write-now.ts';

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
