/** Starting, stopping and restarting one agent of a running town. Its pane keeps its place; its tree keeps every change. */

import { join } from 'node:path';
import { refused } from '../domain/errors.ts';
import { writeAtomic } from '../store/atomic-write.ts';
import { withLongLock } from '../store/lock.ts';
import { probeProcess } from '../tmux/process.ts';
import { stopTree } from '../tmux/stop-tree.ts';
import { agentOf, type Town } from './context.ts';
import { prepareLaunch, recordStarts, type Session, toSpec } from './launch.ts';
import { note } from './note.ts';
import { isDown, paneOf } from './running.ts';
import { openPane } from './windows.ts';

export interface Started {
  did: 'started' | 'running' | 'stopped' | 'not running';
  detail: string;
}

/** Starts the agent where it is not running; exit 3 when the town is down or the program cannot be had. */
export function startAgent(town: Town, agentId: string, session: Session): Promise<Started> {
  return alone(town, agentId, async () => {
    await requireUp(town);
    const pane = await paneOf(town, agentId);
    if (pane.answer === 'unknown') throw refused(`cannot tell whether ${agentId} runs: ${pane.why}`, 'try again');
    if (pane.answer === 'yes' && !pane.dead)
      return { did: 'running', detail: `${agentId} runs already (${pane.pane_id})` };
    return launchInto(town, agentId, session, 'agent.started');
  });
}

/** Stops the agent's own processes and records that this was wanted: nothing restarts it until `start`. */
export function stopAgent(town: Town, agentId: string): Promise<Started> {
  return alone(town, agentId, async () => {
    const agent = agentOf(town, agentId);
    await town.store.agents.update(agentId, (record) => record && { ...record, stop_intent: true });
    const stopped = await endRun(town, agentId);
    if (stopped) note(town, 'agent.stopped', `${agentId} was stopped`, { agent_id: agentId });
    return stopped
      ? { did: 'stopped', detail: `${agentId} is stopped; its hook and its tree are as they were` }
      : { did: 'not running', detail: `${agent.agent_id} does not run` };
  });
}

/** Ends the present run and starts the next in the same place, with the session resumed where the runtime can. */
export function restartAgent(town: Town, agentId: string, session: Session = 'resume', by?: string): Promise<Started> {
  return alone(town, agentId, async () => {
    await requireUp(town);
    await saveScrollback(town, agentId);
    // On record before anything ends: killed here, no later start resumes what was meant to end.
    if (session === 'fresh') {
      await town.store.agents.update(agentId, (record) => record && { ...record, begin_fresh: true });
    }
    await endRun(town, agentId);
    return launchInto(town, agentId, session, 'agent.restarted', by);
  });
}

async function launchInto(town: Town, agentId: string, session: Session, kind: string, by?: string): Promise<Started> {
  const agent = agentOf(town, agentId);
  const launch = await prepareLaunch(town, agent, session);
  const made = await openPane(town, toSpec(launch));
  if ('why' in made) throw refused(`${agentId} has no pane: ${made.why}`, 'gastown doctor');
  const record = (await recordStarts(town, [{ launch, pane: made }])).get(agentId);
  if (record === undefined || 'error' in record) throw record?.error;
  note(town, kind, `${agentId} runs ${record.runtime} in ${made.pane_id} (${record.strategy ?? 'no strategy'})`, {
    agent_id: agentId,
    ...(by === undefined ? {} : { by }),
  });
  return { did: 'started', detail: `${agentId} started in ${made.pane_id} by ${record.strategy ?? record.runtime}` };
}

/** True when something was stopped. Exit 3 when a process of the run survives. */
async function endRun(town: Town, agentId: string): Promise<boolean> {
  const read = town.store.agents.read(agentId);
  const record = read.kind === 'ok' ? read.value : null;
  if (record?.pid == null || record.pid_started === null) return false;
  const probe = await probeProcess(record.pid);
  if (probe.answer === 'unknown') throw refused(`cannot tell whether ${agentId} runs: ${probe.why}`, 'try again');
  const survivors = await stopTree(record.pid, record.pid_started);
  if (survivors.length > 0) {
    const pids = survivors.map((row) => row.pid).join(', ');
    throw refused(`processes of ${agentId} survived: ${pids}`, 'end them, then try again');
  }
  return probe.answer === 'yes' && probe.started === record.pid_started;
}

/** What the pane showed is kept before a restart takes it away. */
async function saveScrollback(town: Town, agentId: string): Promise<void> {
  const pane = await paneOf(town, agentId);
  if (pane.answer !== 'yes') return;
  const reply = await town.tmux.run(['capture-pane', '-p', '-S', '-', '-t', pane.pane_id]);
  if (reply.kind !== 'ok') return;
  const stamp = new Date(town.clock()).toISOString().replace(/[^0-9TZ]/g, '');
  writeAtomic(join(town.store.paths.scrollbackDir, `${agentId}-${stamp}.txt`), `${reply.lines.join('\n')}\n`);
}

async function requireUp(town: Town): Promise<void> {
  if (await isDown(town)) throw refused('the town is down', 'start it: gastown up');
}

/** One start, stop or restart of an agent at a time, across processes. */
const alone = <T>(town: Town, agentId: string, work: () => Promise<T>): Promise<T> => {
  agentOf(town, agentId);
  return withLongLock(join(town.store.paths.locksDir, `run.${agentId}.lock`), work, { waitMs: 60_000 });
};
