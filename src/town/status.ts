/** `gastown status`: the town as its files, tmux and the process table show it now. Nothing is started or changed. */
import { beadStatuses } from '../domain/bead.ts';
import { foldActivity } from '../domain/hook.ts';
import { deriveState } from '../domain/state.ts';
import type { AgentStatus, TownStatus } from '../domain/status.ts';
import { parseTime, toIso } from '../domain/time.ts';
import { leaseHolder } from '../store/lease.ts';
import type { Town } from './context.ts';
import { type AgentFacts, gatherFacts, type Surroundings } from './facts.ts';
import { armedHandoffs } from './handoff/armed.ts';
import { serverAndPanes } from './running.ts';
import { readScreens } from './screens.ts';

export async function readStatus(town: Town): Promise<TownStatus> {
  const around = await lookAround(town);
  return {
    ...townParts(town, around.server),
    agents: town.agents.map((config) => agentStatus(gatherFacts(town, config, around), town.clock())),
  };
}

/** Asks tmux once for all panes, and once for the screens of those that need a look. */
export async function lookAround(town: Town): Promise<Surroundings & { server: TownStatus['town']['server'] }> {
  const { server, panes } = await serverAndPanes(town);
  const screens = server === 'ok' ? await readScreens(town, panes, needLook(town)) : new Map();
  return { server, townRunning: server !== 'gone', panes, screens };
}

/**
 * Agents whose screen has to be asked: those that never showed that they are ready, and those with work of whom neither
 * an event nor a `gt` call has said anything for a while. What an idle agent shows, delivery looks at before it types.
 */
export function needLook(town: Town): string[] {
  const quietSince = town.clock() - 10_000 * town.scale;
  return town.agents.flatMap(({ agent_id: id }) => {
    const record = town.store.agents.read(id);
    if (record.kind === 'ok' && record.value.ready_at === null) return [id];
    const hook = town.store.hooks.read(id);
    if (hook.kind !== 'ok' || hook.value.work_item === null || hook.value.status === 'completed') return [];
    const beats = (['tool', 'event'] as const).map((kind) => town.store.heartbeat.read(id, kind)?.at ?? 0);
    return Math.max(...beats, parseTime(hook.value.last_activity) ?? 0) < quietSince ? [id] : [];
  });
}

/** Everything but the agents; the control pane asks for these parts more often than for a whole status. */
export function townParts(town: Town, server: TownStatus['town']['server']): Omit<TownStatus, 'agents'> {
  const { store } = town;
  const record = store.town.read();
  const isOnRecord = record.kind === 'ok' && record.value.running;
  const lease = store.lease.read();
  const holder = lease.kind === 'ok' ? leaseHolder(lease.value, town.clock()) : 'gone';
  const work = Object.fromEntries(beadStatuses.map((status) => [status, 0])) as TownStatus['work'];
  for (const read of store.beads.readAll().values()) if (read.kind === 'ok') work[read.value.status] += 1;
  const mail = [...store.mail.list('mayor').values()];
  const escalations = [...store.escalations.readAll().values()];
  return {
    town: {
      root: town.root,
      name: town.name,
      running: isOnRecord && server !== 'gone',
      socket: town.tmux.socket,
      server,
    },
    deacon:
      lease.kind === 'ok' && holder !== 'gone'
        ? { running: true, pid: lease.value.pid, tick_at: lease.value.tick_at }
        : { running: false, pid: null, tick_at: lease.kind === 'ok' ? lease.value.tick_at : null },
    work,
    mail: { unread: mail.filter((read) => read.kind === 'ok' && !read.value.read).length },
    escalations: {
      open: escalations.filter((read) => read.kind === 'ok' && read.value.acknowledged_at === null).length,
    },
    handoffs: armedHandoffs(town.root, town.clock()),
  };
}

export function agentStatus({ config, record, state: facts, nudge }: AgentFacts, now: number): AgentStatus {
  const { state, detail, since, evidence } = deriveState(facts, now);
  const { hook, session, ladder } = facts;
  const folded = hook.kind === 'ok' ? foldActivity(hook.value, facts.heartbeat.tool?.at ?? null, now) : null;
  const activeAt = activityAt(facts);
  return {
    agent_id: config.agent_id,
    role: config.role,
    runtime: config.runtime,
    strategy: record?.strategy ?? null,
    pane_id: record?.pane_id ?? null,
    pid: record?.pid ?? null,
    worktree: record?.worktree ?? null,
    branch: record?.branch ?? null,
    hook: folded ?? emptyOrCorrupt(config.agent_id, hook, now),
    freshness:
      session === null
        ? null
        : {
            status: session.status,
            note: session.note,
            proposal: session.proposal,
            at: session.updated_at,
            source: session.source,
          },
    state,
    detail,
    since: since === null ? null : toIso(since),
    idle_s: activeAt === null ? null : Math.max(0, Math.floor((now - activeAt) / 1000)),
    evidence,
    nudges: ladder?.nudges.length ?? 0,
    restarts: ladder?.restarts.length ?? 0,
    escalated: ladder?.escalatedAt != null,
    pending_nudge:
      nudge?.delivery?.kind === 'queued'
        ? { nudge_id: nudge.nudge_id, why: nudge.delivery.why, at: nudge.timestamp }
        : null,
  };
}

/** The latest sign of life, ms: a tool event, or the hook's own time while there is work on it. */
export function activityAt({ hook, heartbeat }: AgentFacts['state']): number | null {
  const times = [
    heartbeat.tool?.at ?? null,
    hook.kind === 'ok' && hook.value.work_item !== null ? parseTime(hook.value.last_activity) : null,
  ].filter((at) => at !== null);
  return times.length === 0 ? null : Math.max(...times);
}

/** A missing file is an empty hook; what cannot be read is never shown as one. */
function emptyOrCorrupt(agentId: string, hook: AgentFacts['state']['hook'], now: number): AgentStatus['hook'] {
  if (hook.kind !== 'absent')
    return { status: 'corrupt', quarantine: hook.kind === 'corrupt' ? hook.quarantine : null };
  return { agent_id: agentId, status: 'empty', work_item: null, last_activity: toIso(now) };
}
