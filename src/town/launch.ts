/**
 * What one agent is started with: its tree, its runtime's plan, its pane's command and environment. The hook is on disk
 * before any of this (field report 25); the same routine serves start, restart and resume.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AgentConfig } from '../domain/config.ts';
import { refused } from '../domain/errors.ts';
import { spawnEnv } from '../domain/handlers/spawn-env.ts';
import { startText } from '../domain/prime.ts';
import type { AgentRecord } from '../domain/records.ts';
import type { Strategy } from '../domain/runtime.ts';
import { chooseStrategy } from '../domain/strategy.ts';
import { parseTime, toIso } from '../domain/time.ts';
import { ensureWorktree, whyNoWorktree } from '../git/worktrees.ts';
import { findBinary } from '../runtimes/find-binary.ts';
import type { Runtime } from '../runtimes/runtime.ts';
import { writeAtomic } from '../store/atomic-write.ts';
import type { PaneSpec } from '../tmux/pane-start.ts';
import { probeProcess } from '../tmux/process.ts';
import { runnerArgv } from '../tmux/runner.ts';
import type { Town } from './context.ts';
import { exitFileOf } from './exit-file.ts';
import { runtimeFor } from './facts.ts';
import { primeContext } from './prime-context.ts';

/** Fresh: a new conversation. Resume: the recorded session where the runtime can. */
export type Session = 'fresh' | 'resume';

export interface Launch {
  agent_id: string;
  cwd: string;
  /** Argv of the pane's root process and what is set for it. */
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The agent's record for this run; its pane is not made yet. */
  record: AgentRecord;
  warnings: readonly string[];
}

/** Prepares everything but the pane. Throws exit 3 when the program or the tree cannot be had; nothing runs then. */
export async function prepareLaunch(town: Town, agent: AgentConfig, session: Session): Promise<Launch> {
  const { store, env } = town;
  const runtime = runtimeFor(town, agent);
  const { descriptor } = runtime;
  const path = env['PATH'] ?? '';
  const program = descriptor.id === 'sim' ? null : await findBinary(descriptor.command, path, town.root);
  if (program === null && descriptor.id !== 'sim') {
    throw refused(
      `${agent.agent_id}: ${descriptor.label} is not installed: no program "${descriptor.command}" on PATH`,
      'install it, or change its runtime in gastown.yaml',
    );
  }
  const tree = await treeOf(town, agent);
  const last = store.agents.read(agent.agent_id);
  const before = last.kind === 'ok' ? last.value : null;
  const { strategy, warning } = strategyOf(town, agent, descriptor);
  const isFresh = session === 'fresh' || before?.begin_fresh === true;
  const resume = isFresh ? null : await resumable(runtime, before, tree.cwd, { ...env, ...agent.env });
  const instance = randomUUID();
  const sessionId = descriptor.sessionIdFlag === null ? null : randomUUID();
  const text = startText(strategy, {
    ...primeContext(town, agent.agent_id, resume === null ? 'startup' : 'resume'),
    cwd: tree.cwd,
    branch: tree.branch,
  });
  const plan = runtime.plan({
    agent_id: agent.agent_id,
    role: agent.role,
    instance_id: instance,
    cwd: tree.cwd,
    stateDir: town.stateDir,
    binDir: town.binDir,
    program,
    node: town.node,
    distDir: town.distDir,
    path,
    strategy,
    permissions: agent.permissions,
    args: agent.args,
    env: { ...spawnEnv(agent.role, town.config.handlers ?? {}), ...agent.env },
    session_id: sessionId,
    resume,
    firstPrompt: text,
  });
  for (const file of plan.files) writeAtomic(file.path, file.text);
  if (before !== null) rmSync(exitFileOf(town, before), { force: true });
  const exitFile = exitFileOf(town, { agent_id: agent.agent_id, instance_id: instance });
  mkdirSync(dirname(exitFile), { recursive: true, mode: 0o700 });
  const unset = Object.entries(plan.env).flatMap(([name, value]) => (value === null ? ['-u', name] : []));
  const set = Object.fromEntries(
    Object.entries(plan.env).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const now = toIso(town.clock());
  return {
    agent_id: agent.agent_id,
    cwd: tree.cwd,
    argv: runnerArgv(town.binDir, exitFile, unset.length === 0 ? plan.argv : ['/usr/bin/env', ...unset, ...plan.argv]),
    env: set,
    warnings: [...tree.warnings, ...(warning === null ? [] : [`${agent.agent_id}: ${warning}`])],
    record: {
      ...(before ?? neverStarted(agent)),
      pane_id: null,
      pid: null,
      pid_started: null,
      runtime: descriptor.id,
      instance_id: instance,
      started_at: now,
      session_id: resume ?? sessionId,
      previous_sessions: history(before, resume),
      begin_fresh: false,
      worktree: tree.worktree,
      branch: tree.branch,
      stop_intent: false,
      strategy,
      fallback_at: null,
      ready_at: null,
      first_event_at: null,
      start_error: null,
      start_text: plan.typed,
      start_receipt: null,
      primed_at: text === null ? null : now,
    },
  };
}

/** What the pane of a launch runs. */
export const toSpec = ({ agent_id, cwd, argv, env }: Launch): PaneSpec => ({ label: agent_id, cwd, argv, env });

/** The recorded conversation, or the one the runtime began in this tree without telling; null where it has none. */
async function resumable(
  runtime: Runtime,
  before: AgentRecord | null,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  if (before === null || runtime.descriptor.resume === null) return null;
  const id = before.session_id ?? (await runtime.latestSession(cwd, parseTime(before.started_at) ?? 0, env));
  return id !== null && (await runtime.findSession(id, env)) === 'yes' ? id : null;
}

/**
 * Records runs whose panes exist, all at once; answers by agent the record, or the error that kept it from being written.
 * Each pid is proven by its start time from now on.
 */
export async function recordStarts(
  town: Town,
  started: readonly { launch: Launch; pane: { pane_id: string; pid: number } }[],
): Promise<Map<string, AgentRecord | { error: unknown }>> {
  const runs = await Promise.all(
    started.map(async ({ launch, pane: { pane_id, pid } }): Promise<AgentRecord> => {
      const probe = await probeProcess(pid);
      return { ...launch.record, pane_id, pid, pid_started: probe.answer === 'yes' ? probe.started : null };
    }),
  );
  const failed = await town.store.agents.putAll(new Map(runs.map((run) => [run.agent_id, run])));
  return new Map(
    runs.map((run) => [run.agent_id, failed.has(run.agent_id) ? { error: failed.get(run.agent_id) } : run]),
  );
}

/** The record of an agent before its first run. */
export const neverStarted = (agent: AgentConfig): AgentRecord => ({
  agent_id: agent.agent_id,
  role: agent.role,
  runtime: agent.runtime,
  instance_id: null,
  pane_id: null,
  pid: null,
  pid_started: null,
  started_at: null,
  session_id: null,
  previous_sessions: [],
  worktree: null,
  branch: null,
  stop_intent: false,
  strategy: null,
  fallback_at: null,
  ready_at: null,
  first_event_at: null,
  start_error: null,
  start_text: null,
  start_receipt: null,
  primed_at: null,
});
function strategyOf(
  town: Town,
  agent: AgentConfig,
  descriptor: { id: string; strategy: Strategy; feasible: readonly Strategy[] },
) {
  const configured = town.config.gupp?.runtimes?.[agent.runtime]?.strategy;
  return chooseStrategy(descriptor, town.env['GT_GUPP_STRATEGY'] ?? configured ?? null);
}

/** Polecats have a worktree each; crew, mayor and the other roles work in the main checkout (DESIGN section 6). */
async function treeOf(
  town: Town,
  agent: AgentConfig,
): Promise<{ cwd: string; worktree: string | null; branch: string | null; warnings: string[] }> {
  const main = { cwd: town.root, worktree: null, branch: null, warnings: [] };
  if (agent.role !== 'polecat' || town.config.worktrees === false) return main;
  const tree = await ensureWorktree(town.root, agent.agent_id);
  if (tree !== null) return { cwd: tree.cwd, worktree: tree.path, branch: tree.branch, warnings: [] };
  const why = await whyNoWorktree(town.root);
  if (why === null || why === 'this is not a git repository') return main;
  return { ...main, warnings: [`${why}: its agents share the main checkout until then`] };
}

function history(before: AgentRecord | null, resumed: string | null): string[] {
  if (before === null) return [];
  const last = before.session_id;
  return last === null || last === resumed ? before.previous_sessions : [...before.previous_sessions, last].slice(-20);
}
