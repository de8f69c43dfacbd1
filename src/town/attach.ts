/**
 * The operator's terminal on the town. The attaching process lives outside the tmux server, so that it can say what was
 * lost when the server dies (DESIGN section 3).
 */
import { execa } from 'execa';
import { refused } from '../domain/errors.ts';
import { clientEnvironment } from '../tmux/environment.ts';
import type { Town } from './context.ts';
import { isDown, serverState } from './running.ts';
import { fitWindows, sessionsOf } from './windows.ts';

export type Detached = { kind: 'detached' } | { kind: 'server-gone'; lost: string[] } | { kind: 'down' };

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
  const client = await execa('tmux', ['-S', town.tmux.socket, '-u', 'attach-session', '-t', `=${session}`], {
    stdio: ['inherit', 'inherit', 'pipe'],
    env: clientEnvironment(),
    extendEnv: false,
    reject: false,
  });
  const server = await serverState(town);
  if (server !== 'gone') {
    const why = client.stderr.trim();
    if (client.exitCode === 0) return { kind: 'detached' };
    throw refused(`tmux could not attach: ${why || `exit ${client.exitCode ?? client.signal}`}`, 'gastown doctor');
  }
  const read = town.store.town.read();
  if (read.kind === 'ok' && !read.value.running) return { kind: 'down' };
  return { kind: 'server-gone', lost: lostWork(town) };
}

/** One line an agent that had a pane: what was on its hook. */
function lostWork(town: Town): string[] {
  return town.agents.flatMap(({ agent_id: id }) => {
    const record = town.store.agents.read(id);
    if (record.kind !== 'ok' || record.value.pane_id === null || record.value.stop_intent) return [];
    const hook = town.store.hooks.read(id);
    const item = hook.kind === 'ok' ? hook.value.work_item : null;
    const session = record.value.session_id === null ? '' : `, session ${record.value.session_id}`;
    return [item === null ? `${id}: idle${session}` : `${id}: ${item.bead_id} ${item.title}${session}`];
  });
}
