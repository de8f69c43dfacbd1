import { createConnection } from 'node:net';

/**
 * Whether anything listens at a socket, asked of the kernel: tmux's own messages differ by version and cause.
 * `no` is proven (no such file, or nobody accepts); every other failure is `unknown`.
 */
export function socketAnswers(path: string, timeoutMs = 2000): Promise<'yes' | 'no' | 'unknown'> {
  return new Promise((resolve) => {
    const connection = createConnection({ path });
    const finish = (answer: 'yes' | 'no' | 'unknown'): void => {
      connection.destroy();
      resolve(answer);
    };
    connection.setTimeout(timeoutMs, () => finish('unknown'));
    connection.once('connect', () => finish('yes'));
    connection.once('error', (error: NodeJS.ErrnoException) =>
      finish(error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? 'no' : 'unknown'),
    );
  });
}

/** A server that shuts down accepts for a moment longer, in milliseconds. */
export const closingMs = 500;

/** True once nothing listens; false if something still does, or cannot be told, after `withinMs`. */
export async function socketIsGone(path: string, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await socketAnswers(path);
    if (answer === 'no') return true;
    if (answer === 'unknown' || performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
