import { writeSync } from 'node:fs';

/**
 * To the last byte before it returns, without Node's streams: they take longer to make than a status to print. A reader
 * that went away (`gastown log | head -1`) is no error of ours.
 */
export function writeNow(fd: 1 | 2, text: string): void {
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
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}
