/** Is the town up, and which agents run? Asked of tmux and the process table; "cannot tell" is an answer of its own. */
import type { PaneInfo, PaneProbe, ServerProbe } from '../domain/probe.ts';
import type { AgentRecord } from '../domain/records.ts';
import { listPanes } from '../tmux/panes.ts';
import { probeProcess } from '../tmux/process.ts';
import { readExit } from '../tmux/runner.ts';
import { probePanes, probeServer, type ServerIdentity } from '../tmux/server.ts';
import type { Town } from './context.ts';
import { exitFileOf } from './exit-file.ts';

/** `gone` also where no run is on record. */
export async function serverState(town: Town): Promise<ServerProbe> {
  const recorded = recordedServer(town);
  return typeof recorded === 'string' ? recorded : probeServer(town.tmux, recorded);
}

/** Whether the recorded server's process has ended, by pid and start time; asks the kernel, never tmux. */
export async function serverHasEnded(town: Town): Promise<boolean> {
  const recorded = recordedServer(town);
  if (typeof recorded === 'string') return recorded === 'gone';
  const probe = await probeProcess(recorded.pid);
  return (
    probe.answer === 'no' || (probe.answer === 'yes' && recorded.started !== null && probe.started !== recorded.started)
  );
}

function recordedServer(town: Town): ServerIdentity | 'gone' | 'unknown' {
  const read = town.store.town.read();
  if (read.kind !== 'ok') return read.kind === 'absent' ? 'gone' : 'unknown';
  const { running, server_pid: pid, server_started: started } = read.value;
  return running && pid !== null ? { pid, started } : 'gone';
}

/** Only a proven absence is "down". */
export const isDown = async (town: Town): Promise<boolean> => (await serverState(town)) === 'gone';

export type Panes = Map<string, PaneInfo> | { unknown: string };

/** The server's state and its panes by id, in one call: none where it is gone, unknown where it does not answer. */
export async function serverAndPanes(town: Town): Promise<{ server: ServerProbe; panes: Panes }> {
  const recorded = recordedServer(town);
  if (typeof recorded === 'string') {
    const panes = recorded === 'gone' ? new Map() : { unknown: 'the record of the town cannot be read' };
    return { server: recorded, panes };
  }
  const probe = await probePanes(town.tmux, recorded);
  if (probe.server === 'gone') return { server: 'gone', panes: new Map() };
  if (probe.server === 'unknown') return { server: 'unknown', panes: { unknown: probe.why } };
  return { server: 'ok', panes: new Map(probe.panes.map((pane) => [pane.pane_id, pane])) };
}

/** All panes of the server by id, in one call. */
export async function panesById(town: Town): Promise<Panes> {
  const listed = await listPanes(town.tmux);
  if (listed.kind === 'unknown') return { unknown: listed.why };
  if (listed.kind === 'gone') return new Map();
  return new Map(listed.panes.map((pane) => [pane.pane_id, pane]));
}

/** The pane of the agent's recorded run: the id and the pid must both be its own. */
export function probeOf(town: Town, record: AgentRecord | null, panes: Panes): PaneProbe {
  if (record?.pane_id == null) return { answer: 'no' };
  if (!(panes instanceof Map)) return { answer: 'unknown', why: panes.unknown };
  const pane = panes.get(record.pane_id);
  if (pane === undefined || pane.pid !== record.pid) return { answer: 'no' };
  return { ...pane, answer: 'yes', exit: pane.dead ? readExit(exitFileOf(town, record)) : null };
}

export async function paneOf(town: Town, agentId: string): Promise<PaneProbe> {
  const read = town.store.agents.read(agentId);
  return probeOf(town, read.kind === 'ok' ? read.value : null, await panesById(town));
}

/** Agents whose program runs now. Where nothing can be told, none: a start then asks again, for one agent. */
export async function runningAgents(town: Town): Promise<ReadonlySet<string>> {
  const { panes } = await serverAndPanes(town);
  const running = town.agents.filter(({ agent_id: id }) => {
    const read = town.store.agents.read(id);
    const probe = probeOf(town, read.kind === 'ok' ? read.value : null, panes);
    return probe.answer === 'yes' && !probe.dead;
  });
  return new Set(running.map((agent) => agent.agent_id));
}
