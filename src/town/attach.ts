/**
 * The operator's terminal on the town. The attaching process lives outside the tmux server, so that it can say what was
 * lost when the server dies (DESIGN section 3).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { refused } from '../domain/errors.ts';
import { clientEnvironment } from '../tmux/environment.ts';
import { keepTerminal } from '../tmux/kept-terminal.ts';
import type { Town } from './context.ts';
import { type Lost, lostAgents, rememberLastLines } from './lost.ts';
import { isDown, serverHasEnded, serverState } from './running.ts';
import { fitWindows, sessionsOf } from './windows.ts';

export type Detached = { kind: 'detached' } | { kind: 'server-gone'; lost: Lost[] } | { kind: 'down' };

/** How often the server's process is looked at: its death must be noticed within a second, whatever the client does. */
const lookMs = 500;

/**
 * Attaches and answers when the operator leaves. Started inside another tmux it attaches nested, with the town's prefix
 * changed to `C-g`; `onNested` is told first. Exit 3 when the town is down or tmux refuses.
 */
export async function attach(town: Town, onNested: () => void): Promise<Detached> {
  if (await isDown(town)) throw refused('the town is down', 'start it: gastown up');
  const session = sessionsOf(town).town;
  const { columns, rows } = process.stdout;
  // A layout that cannot be read any more must not keep the operator out.
  if (columns && rows) await fitWindows(town, { columns, rows }).catch(() => {});
  const isNested = Boolean(town.env['TMUX']);
  if (isNested) {
    onNested();
    await town.tmux.runAll([
      ['set-option', '-t', session, 'prefix', 'C-g'],
      ['bind-key', 'C-g', 'send-prefix'],
    ]);
  }
  const giveBack = await keepTerminal();
  const memory = rememberLastLines(town);
  const running = execa('tmux', ['-S', town.tmux.socket, '-u', 'attach-session', '-t', `=${session}`], {
    stdio: ['inherit', 'inherit', 'pipe'],
    env: clientEnvironment(),
    extendEnv: false,
    reject: false,
  });
  const watch = setInterval(() => {
    void serverHasEnded(town).then((ended) => ended && running.kill('SIGTERM'));
  }, lookMs);
  const client = await running;
  clearInterval(watch);
  memory.end();
  const server = client.exitCode === 0 ? await serverState(town) : await settledState(town);
  if (server !== 'gone') {
    const why = client.stderr.trim();
    if (client.exitCode === 0) return { kind: 'detached' };
    throw refused(`tmux could not attach: ${why || `exit ${client.exitCode ?? client.signal}`}`, 'gastown doctor');
  }
  const read = town.store.town.read();
  if (read.kind === 'ok' && !read.value.running) return { kind: 'down' };
  await giveBack();
  return { kind: 'server-gone', lost: lostAgents(town, memory.lines) };
}

/** The client knows of a killed server before the kernel has buried it: a moment more makes `unknown` an answer. */
async function settledState(town: Town): ReturnType<typeof serverState> {
  for (const deadline = performance.now() + 1_000; ; await sleep(50)) {
    const state = await serverState(town);
    if (state !== 'unknown' || performance.now() > deadline) return state;
  }
}
