import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A tmux server of a test's own: scratch socket, scratch HOME, no TMUX; ended and removed by `stop`. */
export interface PrivateTmux {
  folder: string;
  socket: string;
  /** Plain `tmux -S socket …`, the world as somebody else sees it; throws on a non-zero exit. */
  tmux(...words: string[]): string;
  stop(): void;
}

/** `conf`: lines of a tmux.conf. Without it the server has tmux's defaults. */
export function startPrivateTmux(conf = ''): PrivateTmux {
  const server = privateTmux();
  const file = join(server.folder, 'tmux.conf');
  writeFileSync(file, conf);
  server.tmux('-f', file, 'new-session', '-d', '-s', 'anchor', '-x', '200', '-y', '50', 'sh', '-c', 'exec cat');
  return server;
}

/** The folder and the socket's path; nothing is started. */
export function privateTmux(): PrivateTmux {
  const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-`));
  const socket = join(folder, 's');
  const env = { ...process.env, HOME: folder, TMUX: undefined, TMUX_PANE: undefined };
  const tmux = (...words: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-u', ...words], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
  return {
    folder,
    socket,
    tmux,
    stop() {
      try {
        tmux('kill-server');
      } catch {
        // It is gone already.
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for a condition, never for a time; throws what was last seen when it does not come. */
export async function until<T>(what: string, look: () => T | Promise<T>, limitMs = 15_000): Promise<NonNullable<T>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
