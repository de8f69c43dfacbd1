/**
 * Brings lost agents back some at a time, each in its own session: thirty programs that start at once, and ask their
 * services at once, would be the next accident. Where those that were started end at once, the rest is left alone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentConfig } from '../domain/config.ts';
import { scaled, type Town } from './context.ts';
import { note } from './note.ts';
import { panesById, probeOf } from './running.ts';

/** What `up` did for one agent. */
export interface AgentUp {
  agent_id: string;
  did: 'started' | 'running' | 'stopped' | 'failed';
  detail: string;
}

/** Agents that start at the same time. */
export const resumedAtOnce = 3;
/** So long the next ones wait for the former to be ready. */
const settleSeconds = 20;
const lookMs = 200;

export interface ResumeWish {
  /** Starts these agents; `isFirst`: the town's windows have to be made, too. */
  start(agents: readonly AgentConfig[], isFirst: boolean): Promise<AgentUp[]>;
  /** Told as it goes: who was started, or why it goes no further. */
  onStep?: (line: string) => void;
}

/** One answer for each agent of the town, in its order. */
export async function resumeByTurns(town: Town, { start, onStep = () => {} }: ResumeWish): Promise<AgentUp[]> {
  await holdBack(town, town.agents.slice(resumedAtOnce));
  const all: AgentUp[] = [];
  for (let from = 0; from < town.agents.length; from += resumedAtOnce) {
    const turn = town.agents.slice(from, from + resumedAtOnce);
    const did = await start(turn, from === 0);
    all.push(...did);
    const started = did.filter((one) => one.did === 'started').map((one) => one.agent_id);
    if (started.length > 0) onStep(`${all.length} of ${town.agents.length}: ${started.join(', ')}`);
    const rest = town.agents.slice(all.length);
    if (rest.length === 0 || did.every((one) => one.did === 'running' || one.did === 'stopped')) continue;
    const failed = did.filter((one) => one.did === 'failed').length + (await ended(town, started));
    if (failed * 2 < did.length) continue;
    const why = `${failed} of the last ${did.length} ended at once: ${rest.length} more are not started`;
    onStep(`${why}; when it is mended: gastown up --resume`);
    note(town, 'resume.braked', why);
    return [...all, ...rest.map(({ agent_id }): AgentUp => ({ agent_id, did: 'failed', detail: why }))];
  }
  return all;
}

/** Who waits its turn has no run: nobody takes it for dead and starts it beside us. */
async function holdBack(town: Town, agents: readonly AgentConfig[]): Promise<void> {
  const panes = await panesById(town);
  await Promise.all(
    agents.map(({ agent_id: id }) =>
      town.store.agents.update(id, (run) =>
        run === null || run.stop_intent || probeOf(town, run, panes).answer !== 'no'
          ? null
          : { ...run, pane_id: null, pid: null, pid_started: null, started_at: null },
      ),
    ),
  );
}

/** Waits until each is ready or has ended, and answers how many have ended. */
async function ended(town: Town, ids: readonly string[]): Promise<number> {
  const deadline = performance.now() + Math.max(2_000, scaled(town, settleSeconds));
  for (;;) {
    const panes = await panesById(town);
    const runs = ids.map((id) => {
      const read = town.store.agents.read(id);
      return read.kind === 'ok' ? read.value : null;
    });
    const probes = runs.map((run) => probeOf(town, run, panes));
    const gone = probes.filter((probe) => probe.answer === 'no' || (probe.answer === 'yes' && probe.dead)).length;
    const ready = runs.filter((run) => run?.ready_at != null || run?.first_event_at != null).length;
    if (gone + ready >= ids.length || performance.now() > deadline) return gone;
    await sleep(lookMs);
  }
}
