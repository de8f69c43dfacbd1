/**
 * Asks the deacon for the status: it has the files in memory and tmux on the line. What it answers it has looked up at
 * that moment; where it does not, for whatever reason, the caller looks for itself.
 */
import { existsSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import { deaconSocket } from '../../store/deacon-socket.ts';
import { resolveRoot } from '../../store/resolve-root.ts';

/** Looking for oneself takes less than this. */
const waitMs = 400;

interface Asking {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The program that asks; a deacon of another build does not answer it. */
  program: string;
}

/** The text that `status --json` prints, whole; null when there was no answer. */
export function askStatus({ cwd, env, program }: Asking): Promise<string | null> {
  const path = deaconSocket(resolveRoot({ cwd, env }).stateDir);
  if (path === null || !existsSync(path)) return Promise.resolve(null);
  const question = `${JSON.stringify({ program, built: statSync(program).mtimeMs, cwd, env })}\n`;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const connection = createConnection({ path });
    const finish = (answer: string | null): void => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(waitMs, () => finish(null));
    connection.on('error', () => finish(null));
    connection.on('data', (chunk) => chunks.push(chunk));
    connection.on('end', () => finish(wholeAnswer(Buffer.concat(chunks))));
    connection.write(question);
  });
}

/** Its length in bytes, a newline, the text: what was cut off is no answer. */
function wholeAnswer(bytes: Buffer): string | null {
  const start = bytes.indexOf('\n') + 1;
  const length = Number(bytes.toString('latin1', 0, Math.max(0, start - 1)));
  return start > 0 && length > 0 && bytes.length - start === length ? bytes.toString('utf8', start) : null;
}
