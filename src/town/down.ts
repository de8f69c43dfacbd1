/** `gastown down`: records the intent, stops everything the town owns, keeps all state, and lists what survived. */

import { refused } from '../domain/errors.ts';
import type { AgentRecord } from '../domain/records.ts';
import { toIso } from '../domain/time.ts';
import { endSession } from '../tmux/layout-build.ts';
import { probeProcess } from '../tmux/process.ts';
import { stopServer } from '../tmux/server.ts';
import { stopTree } from '../tmux/stop-tree.ts';
import type { Town } from './context.ts';
import { note } from './note.ts';
import { serverState } from './running.ts';
import { isSharedServer, sessionsOf } from './windows.ts';

export interface DownReport {
  /** Whether anything ran before. */
  running: boolean;
  stopped: string[];
  survivors: { what: string; pid: number }[];
}

/**
 * The intent is on disk before the first signal, so that nothing restarts what is being stopped. Agents end before the
 * server, each only when pid and start time are those on record. Exit 3 where the server cannot be asked.
 */
export async function down(town: Town, { dryRun = false }: { dryRun?: boolean } = {}): Promise<DownReport> {
  const { store } = town;
  const server = await serverState(town);
  if (server === 'unknown')
    throw refused('cannot tell whether the town runs: its tmux server does not answer', 'try again');
  const runs = [...store.agents.readAll().values()].flatMap((read) => (read.kind === 'ok' ? [read.value] : []));
  const alive = await living(runs);
  const ofServer = server === 'ok' ? [`the tmux server at ${town.tmux.socket}`] : [];
  if (dryRun) {
    const stopped = [...alive.map((run) => `${run.agent_id} (pid ${run.pid})`), ...ofServer];
    return { running: server === 'ok', stopped, survivors: [] };
  }
  const stopped: string[] = [];
  const survivors: DownReport['survivors'] = [];
  const read = store.town.read();
  const recorded =
    read.kind === 'ok' && read.value.server_pid !== null
      ? { pid: read.value.server_pid, started: read.value.server_started }
      : null;
  await store.town.update((record) => record && { ...record, running: false, updated_at: toIso(town.clock()) });
  await Promise.all(
    alive.map(async (run) => {
      const left = await stopTree(run.pid, run.pid_started);
      if (left.length === 0) stopped.push(run.agent_id);
      survivors.push(...left.map(({ pid }) => ({ what: run.agent_id, pid })));
    }),
  );
  if (server === 'ok' && recorded !== null) {
    if (isSharedServer(town)) await endSession(town.tmux, sessionsOf(town));
    else {
      const left = await stopServer(town.tmux, recorded);
      if (left.length === 0) stopped.push('tmux server');
      survivors.push(...left.map(({ pid }) => ({ what: 'tmux server', pid })));
    }
  }
  note(
    town,
    'town.down',
    survivors.length === 0 ? 'the town is down' : `the town is down but for ${survivors.length} survivors`,
  );
  return { running: server === 'ok', stopped, survivors };
}

interface LiveRun {
  agent_id: string;
  pid: number;
  pid_started: string;
}

/** Runs whose process is the recorded one: the others are not ours to stop. */
async function living(runs: readonly AgentRecord[]): Promise<LiveRun[]> {
  const probed = await Promise.all(
    runs.map(async ({ agent_id, pid, pid_started }): Promise<LiveRun[]> => {
      if (pid === null || pid_started === null) return [];
      const probe = await probeProcess(pid);
      return probe.answer === 'yes' && probe.started === pid_started ? [{ agent_id, pid, pid_started }] : [];
    }),
  );
  return probed.flat();
}
