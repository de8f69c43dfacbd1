/**
 * `gastown up`: idempotent. What runs is left alone, what is missing is started, all of it side by side; each agent
 * comes up or fails by itself. The hooks are on disk before any of this (field report 25).
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentConfig, Config } from '../domain/config.ts';
import { agentsFromFlag } from '../domain/config-names.ts';
import { errorText, GastownError, refused } from '../domain/errors.ts';
import type { TownRecord } from '../domain/records.ts';
import { toIso } from '../domain/time.ts';
import { withLongLock } from '../store/lock.ts';
import { createText } from '../store/plain-file.ts';
import { writeRunner } from '../tmux/runner.ts';
import { type ServerIdentity, startServer } from '../tmux/server.ts';
import { writeBinScripts } from './bin-scripts.ts';
import { existsChipset } from './chipset-place.ts';
import { agentOf, openTown, type Town, withConfig } from './context.ts';
import { putInForce } from './handlers/put-in-force.ts';
import { init } from './init.ts';
import { type Launch, neverStarted, prepareLaunch, recordStarts, type Session, toSpec } from './launch.ts';
import { note } from './note.ts';
import { type AgentUp, type ResumeWish, resumeByTurns } from './resume.ts';
import { panesById, probeOf, serverState } from './running.ts';
import { buildWindows, isSharedServer, type OpenedPane, openPane, reviveOwnPanes, sessionsOf } from './windows.ts';

export interface UpRequest {
  layout?: string | undefined;
  /** `claude:2,codex,gemini`, in place of the configured agents. */
  agents?: string | undefined;
  demo?: boolean;
  /** Every session is resumed, some agents at a time: the answer to a dead tmux server. */
  resume?: Pick<ResumeWish, 'onStep'>;
  /** The operator's terminal, for the first layout; 200 by 50 unless given. */
  size?: { columns: number; rows: number };
}

export interface UpReport {
  /** False when the town ran already. */
  created: boolean;
  agents: AgentUp[];
  warnings: string[];
}

/** Exit 1 for a wrong configuration, exit 3 when the town's server cannot be had; a failing agent fails alone. */
export async function up(opened: Town, request: UpRequest = {}): Promise<UpReport> {
  mkdirSync(join(opened.stateDir, 'locks'), { recursive: true, mode: 0o700 });
  const lock = join(opened.store.paths.locksDir, 'up.lock');
  return withLongLock(lock, () => upAlone(opened, request), { waitMs: 60_000 });
}

async function upAlone(opened: Town, request: UpRequest): Promise<UpReport> {
  const server = await serverState(opened);
  if (server === 'unknown')
    throw refused(
      'cannot tell whether the town runs: its tmux server does not answer',
      'try again, or: gastown doctor',
    );
  const created = server === 'gone';
  const { town, gates } = created ? await checked(await toRun(opened, request)) : { town: opened, gates: [] };
  const warnings = [...town.warnings, ...gates, ...(created ? [] : ignored(request))];
  // The state is nobody's work: git never sees it, also where no configuration was written.
  createText(join(town.store.paths.chipsetDir, '.gitignore'), '*\n');
  writeBinScripts(town);
  await putInForce(town);
  writeRunner(town.binDir);
  if (created) {
    const names = sessionsOf(town);
    const start = { socket: town.tmux.socket, anchor: names.anchor, shared: isSharedServer(town), env: town.env };
    const { warnings: ofConf, ...identity } = await startServer(start);
    warnings.push(...ofConf);
    await record(town, identity, request);
  }
  const size = created ? (request.size ?? { columns: 200, rows: 50 }) : null;
  const agents =
    request.resume === undefined
      ? await startMissing(town, size, warnings)
      : await resumeByTurns(town, {
          ...request.resume,
          start: (some, isFirst) => startMissing({ ...town, agents: some }, isFirst ? size : null, warnings, 'resume'),
        });
  const started = agents.filter((agent) => agent.did === 'started').length;
  if (created || started > 0) note(town, 'town.up', `the town is up: ${started} of ${agents.length} agents started`);
  return { created, agents, warnings };
}

/** A chipset's gate that blocks keeps a town from starting; what runs is not taken down by one. */
async function checked(town: Town): Promise<{ town: Town; gates: string[] }> {
  if (!existsChipset(town.root)) return { town, gates: [] };
  const { evaluateChipset, withChipset } = await import('./chipset-gates.ts');
  return { gates: evaluateChipset(town), town: withChipset(town) };
}

/** The configuration a new town runs with: demo, the agents of the command line, or the file, which `init` writes. */
async function toRun(opened: Town, request: UpRequest): Promise<Town> {
  const layout = request.layout === undefined ? {} : { layout: request.layout };
  if (request.demo) return withConfig(opened, { ...opened.config, ...layout, agents: [...demoAgents] });
  if (request.agents !== undefined) {
    const declared = Object.keys(opened.config.runtimes ?? {});
    return withConfig(opened, { ...opened.config, ...layout, agents: agentsFromFlag(request.agents, declared) });
  }
  let town = opened;
  if (!town.configured) {
    await init(town);
    town = await openTown({ cwd: town.root, env: { ...town.env, GT_STATE_DIR: undefined }, clock: town.clock });
  }
  return request.layout === undefined ? town : withConfig(town, { ...town.config, ...layout });
}

/** Six simulated polecats with empty hooks and no work of their own. */
const demoAgents: Config['agents'] = [{ name: 'polecat', runtime: 'sim', count: 6 }];

function ignored(request: UpRequest): string[] {
  const given = [
    request.layout === undefined ? null : '--layout',
    request.agents === undefined ? null : '--agents',
    request.demo ? '--demo' : null,
  ].filter((flag) => flag !== null);
  return given.length === 0 ? [] : [`the town runs already: ${given.join(', ')} had no effect; gastown down first`];
}

/** On record before the first pane: every program in a pane finds the town by it. */
async function record(town: Town, { pid, started }: ServerIdentity, request: UpRequest): Promise<void> {
  await town.store.town.update(
    (before): TownRecord => ({
      ...before,
      root: town.root,
      name: town.name,
      running: true,
      socket: town.tmux.socket,
      server_pid: pid,
      server_started: started,
      demo: request.demo === true || (request.resume !== undefined && before?.demo === true),
      control_pane: null,
      deacon_stopped: false,
      config: town.config,
      updated_at: toIso(town.clock()),
    }),
  );
  // Who was stopped before the server died stays stopped.
  if (request.resume !== undefined) return;
  await Promise.all(
    town.agents.map(({ agent_id: id }) =>
      town.store.agents.update(id, (run) => (run?.stop_intent ? { ...run, stop_intent: false } : null)),
    ),
  );
}

/** `size`: of a town to be built; null where its windows are there. */
async function startMissing(
  town: Town,
  size: { columns: number; rows: number } | null,
  warnings: string[],
  session: Session | null = null,
): Promise<AgentUp[]> {
  const panes = size === null ? await panesById(town) : new Map();
  const plans = await Promise.all(town.agents.map((config) => planOf(town, config, panes, session)));
  const launches = plans.flatMap((plan) => ('launch' in plan ? [plan.launch] : []));
  warnings.push(...new Set(launches.flatMap((launch) => launch.warnings)));
  const specs = launches.map(toSpec);
  const opened = new Map<string, OpenedPane>();
  if (size === null) {
    await reviveOwnPanes(town, ['control', 'deacon']);
    for (const spec of specs) opened.set(spec.label, await openPane(town, spec));
  } else {
    const built = await buildWindows(town, size, specs);
    for (const [id, pane] of built.agents) opened.set(id, pane);
    await town.store.town.update((record) => record && { ...record, control_pane: built.control.pane_id });
  }
  const started = launches.flatMap((launch) => {
    const pane = opened.get(launch.agent_id);
    return pane === undefined || 'why' in pane ? [] : [{ launch, pane }];
  });
  const runs = await recordStarts(town, started);
  return Promise.all(
    plans.map(async (plan): Promise<AgentUp> => {
      if (!('launch' in plan)) return plan;
      const id = plan.launch.agent_id;
      const run = runs.get(id);
      if (run !== undefined && 'error' in run) return failed(town, id, errorText(run.error));
      if (run === undefined) {
        const pane = opened.get(id);
        return failed(town, id, pane !== undefined && 'why' in pane ? pane.why : 'its pane was not made');
      }
      const detail = `${run.runtime} in ${run.pane_id} (${run.strategy ?? 'no strategy'})`;
      note(town, 'agent.started', `${id} runs ${detail}`, { agent_id: id });
      return { agent_id: id, did: 'started', detail };
    }),
  );
}

async function planOf(
  town: Town,
  config: AgentConfig,
  panes: Parameters<typeof probeOf>[2],
  session: Session | null,
): Promise<AgentUp | { launch: Launch }> {
  const id = config.agent_id;
  const read = town.store.agents.read(id);
  const run = read.kind === 'ok' ? read.value : null;
  const probe = probeOf(town, run, panes);
  if (probe.answer === 'unknown')
    return { agent_id: id, did: 'failed', detail: `cannot tell whether it runs: ${probe.why}` };
  if (probe.answer === 'yes' && !probe.dead) return { agent_id: id, did: 'running', detail: `in ${probe.pane_id}` };
  if (run?.stop_intent)
    return { agent_id: id, did: 'stopped', detail: `stopped on purpose; start it: gastown start ${id}` };
  const hook = town.store.hooks.read(id);
  const isUnderWay = hook.kind === 'ok' && hook.value.status === 'active';
  try {
    return { launch: await prepareLaunch(town, config, session ?? (isUnderWay ? 'resume' : 'fresh')) };
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
    return failed(town, id, error.line);
  }
}

/** Why an agent could not be started stays visible in its row. */
async function failed(town: Town, agentId: string, why: string): Promise<AgentUp> {
  const detail = why.startsWith(`${agentId}: `) ? why.slice(agentId.length + 2) : why;
  try {
    await town.store.agents.update(agentId, (run) => ({
      ...(run ?? neverStarted(agentOf(town, agentId))),
      start_error: detail,
    }));
  } catch (error) {
    return { agent_id: agentId, did: 'failed', detail: `${detail} (${errorText(error)})` };
  }
  note(town, 'agent.failed', `${agentId} did not start: ${detail}`, { agent_id: agentId });
  return { agent_id: agentId, did: 'failed', detail };
}
