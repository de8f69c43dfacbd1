/** The running town: does its tmux server answer, is every pane accounted for, and where does the socket lie? */
import { listPanes } from '../../tmux/panes.ts';
import { writeBinScripts } from '../bin-scripts.ts';
import { reopenStrayBeads } from '../claim.ts';
import type { Town } from '../context.ts';
import { serverState } from '../running.ts';
import { type Check, check } from './check.ts';

export async function townChecks(town: Town, fix: boolean): Promise<Check[]> {
  const server = await serverState(town);
  const running = town.recorded?.running === true;
  const checks = [
    check('town', 'outside the repository', 'ok', `only the tmux socket: ${town.tmux.socket}`),
    ...(await strayChecks(town, fix)),
  ];
  if (!running) return [check('town', 'server', 'ok', 'the town is down'), ...checks];
  if (fix) writeBinScripts(town);
  if (server === 'gone') {
    return [
      check('town', 'server', 'fail', 'the town is up on record, its tmux server is gone', 'gastown up'),
      ...checks,
    ];
  }
  if (server === 'unknown') {
    return [check('town', 'server', 'warn', 'cannot tell whether the tmux server runs', 'try again'), ...checks];
  }
  return [check('town', 'server', 'ok', 'the tmux server answers'), await panesCheck(town), ...checks];
}

/** Panes that belong to no agent on record: opened by hand, or left by a run that was never recorded. */
async function panesCheck(town: Town): Promise<Check> {
  const listed = await listPanes(town.tmux);
  if (listed.kind !== 'ok') return check('town', 'panes', 'warn', 'cannot tell which panes there are', 'try again');
  const records = [...town.store.agents.readAll().values()];
  const known = new Set(
    records.flatMap((read) => (read.kind === 'ok' && read.value.pane_id ? [read.value.pane_id] : [])),
  );
  if (town.recorded?.control_pane) known.add(town.recorded.control_pane);
  const others = listed.panes
    .filter((pane) => !known.has(pane.pane_id))
    .map((pane) => `${pane.pane_id} (${pane.command})`);
  const text =
    others.length === 0 ? 'every pane belongs to an agent or the town' : `not of an agent: ${others.join(', ')}`;
  return check('town', 'panes', 'ok', text);
}

async function strayChecks(town: Town, fix: boolean): Promise<Check[]> {
  if (!fix) return [];
  const reopened = await reopenStrayBeads(town);
  if (reopened.length === 0) return [];
  return [check('town', 'beads', 'ok', `open again, as they were on no hook: ${reopened.join(', ')}`, '', true)];
}
