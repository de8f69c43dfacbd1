import { execFile } from 'node:child_process';

/**
 * How a program reads its terminal. `line`: the kernel hands over whole lines, so every line break ends one and a line
 * has a limit; such a program cannot have asked for bracketed paste, which tmux before 3.7 does not tell.
 */
export function ttyMode(tty: string): Promise<'line' | 'raw' | 'unknown'> {
  const flag = process.platform === 'linux' ? '-F' : '-f';
  return new Promise((resolve) => {
    execFile('stty', [flag, tty, '-a'], { timeout: 2_000 }, (error, stdout) => {
      if (error) resolve('unknown');
      else resolve(/(^|\s)-icanon\b/.test(stdout) ? 'raw' : 'line');
    });
  });
}

/** Bytes of one line in line mode, its end included; the kernel drops what is beyond. */
export const lineModeBytes = process.platform === 'linux' ? 4096 : 1024;
