import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { refused } from '../domain/errors.ts';
import type { PaneInfo, ServerProbe } from '../domain/probe.ts';
import { idle } from './anchor.ts';
import { replyProblem, type Tmux } from './driver.ts';
import { serverEnvironment } from './environment.ts';
import { listPanes } from './panes.ts';
import { type ProcessRow, probeProcess, processTable, treeOf } from './process.ts';
import { closingMs, socketIsGone } from './reach.ts';
import { serverConf, settingsOf } from './server-conf.ts';
import { spawnTmux } from './spawn-client.ts';
import { stopTree } from './stop-tree.ts';
import { requireTmux } from './version.ts';

export interface ServerIdentity {
  pid: number;
  /** As the kernel tells it; null where a record does not know. */
  started: string | null;
}

export interface ServerStart {
  socket: string;
  anchor: string;
  /** The user's own server: its options are left alone. */
  shared: boolean;
  /** Environment of the caller; identities of agents are left out of what the server inherits. */
  env: NodeJS.ProcessEnv;
  bin?: string;
}

/**
 * Starts the town's server, or finds it running, with our settings and the anchor session. Returns who it is and what of
 * the user's tmux.conf could not be used. Throws exit 3 when tmux is missing, too old, or does not start.
 */
export async function startServer(start: ServerStart): Promise<ServerIdentity & { warnings: string[] }> {
  const { socket, anchor, shared, bin = 'tmux' } = start;
  requireTmux(bin);
  const tmux = spawnTmux(socket, { bin });
  const env = serverEnvironment(start.env);
  const own = shared ? [] : ['-f', '/dev/null'];
  const words = [
    '-S',
    socket,
    '-u',
    ...own,
    ...['new-session', '-d', '-P', '-F', '#{pid}', '-s', anchor],
    ...['-x', '200', '-y', '50', '-c', '/'],
    ...idle,
  ];
  const made = spawnSync(bin, words, { env, encoding: 'utf8', timeout: 10_000 });
  // Somebody else may have been quicker: a duplicate is what was wanted.
  if (made.status !== 0 && !made.stderr.startsWith('duplicate session')) {
    throw refused(`tmux did not start at ${socket}: ${made.stderr.trim() || made.error?.message}`, 'gastown doctor');
  }
  const warnings = shared ? [] : await configure(tmux, env);
  const identity = made.status === 0 ? await identityOf(Number(made.stdout)) : await identifyServer(tmux);
  if ('why' in identity)
    throw refused(`the tmux server at ${socket} does not answer: ${identity.why}`, 'gastown doctor');
  return { ...identity, warnings };
}

/** Pid and start time of the server that answers. */
export async function identifyServer(tmux: Tmux): Promise<ServerIdentity | { why: string }> {
  const reply = await tmux.run(['list-sessions', '-F', '#{pid}']);
  return reply.kind === 'ok' ? identityOf(Number(reply.lines[0])) : { why: replyProblem(reply) ?? '' };
}

async function identityOf(pid: number): Promise<ServerIdentity | { why: string }> {
  const probe = await probeProcess(pid);
  return probe.answer === 'yes' ? { pid, started: probe.started } : { why: `its process ${pid} cannot be seen` };
}

/**
 * Whether the recorded server is there: by pid, start time and an answer of its own. `gone` only where the process is
 * proven to have ended; a server that lives but does not answer is `unknown`.
 */
export async function probeServer(tmux: Tmux, recorded: ServerIdentity): Promise<ServerProbe> {
  const probe = await probeProcess(recorded.pid);
  if (probe.answer === 'unknown') return 'unknown';
  if (probe.answer === 'no' || (recorded.started !== null && probe.started !== recorded.started)) return 'gone';
  const reply = await tmux.run(['list-sessions', '-F', '#{pid}']);
  return reply.kind === 'ok' && Number(reply.lines[0]) === recorded.pid ? 'ok' : 'unknown';
}

/** The same, and all its panes, in one call: for who needs both. `panes` is there only where the server is `ok`. */
export async function probePanes(
  tmux: Tmux,
  recorded: ServerIdentity,
): Promise<{ server: 'ok'; panes: PaneInfo[] } | { server: 'gone' } | { server: 'unknown'; why: string }> {
  const probe = await probeProcess(recorded.pid);
  if (probe.answer === 'unknown') return { server: 'unknown', why: probe.why };
  if (probe.answer === 'no' || (recorded.started !== null && probe.started !== recorded.started))
    return { server: 'gone' };
  const listed = await listPanes(tmux);
  if (listed.kind !== 'ok') return { server: 'unknown', why: listed.why };
  if (listed.server_pid !== recorded.pid)
    return { server: 'unknown', why: 'another tmux server answers at its socket' };
  return { server: 'ok', panes: listed.panes };
}

/**
 * Ends the town's own server and everything that runs in its panes; never for a shared server. Our connection ends first:
 * a server killed under an attached control client can hang for ever (tmux before 3.7). Returns who survived.
 */
export async function stopServer(tmux: Tmux, recorded: ServerIdentity): Promise<ProcessRow[]> {
  const spawned = spawnTmux(tmux.socket);
  await tmux.close();
  const table = await processTable();
  const server = table.find((row) => row.pid === recorded.pid);
  if (!server || (recorded.started !== null && server.started !== recorded.started)) return [];
  const inPanes = treeOf(table, server.pid).filter((row) => row.pid !== server.pid && row.pid !== process.pid);
  const clients = await spawned.run(['list-clients', '-F', '#{client_control_mode} #{client_name}']);
  const controls = clients.kind === 'ok' ? clients.lines.filter((line) => line.startsWith('1 ')) : [];
  await spawned.runAll(controls.map((line) => ['detach-client', '-t', line.slice(2)]));
  await spawned.run(['kill-server'], { timeoutMs: 3_000 });
  await socketIsGone(tmux.socket, closingMs);
  await waitForEnd([server], 3_000);
  const survivors = await stopTree(server.pid, server.started);
  if (survivors.length === 0) rmSync(tmux.socket, { force: true });
  // A program may outlive the hang-up of its pane; it is still the very process that was seen there.
  const orphans = await waitForEnd(inPanes, 1_000);
  const left = await Promise.all(orphans.map((row) => stopTree(row.pid, row.started)));
  return [...survivors, ...left.flat()];
}

async function waitForEnd(rows: readonly ProcessRow[], limitMs: number): Promise<ProcessRow[]> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const probes = await Promise.all(rows.map((row) => probeProcess(row.pid)));
    const left = rows.filter((row, index) => {
      const probe = probes[index];
      return probe?.answer === 'yes' && probe.started === row.started;
    });
    if (left.length === 0 || performance.now() >= deadline) return left;
    await sleep(30);
  }
}

async function configure(tmux: Tmux, env: NodeJS.ProcessEnv): Promise<string[]> {
  const conf = serverConf({
    trueColour: /^(truecolor|24bit)$/.test(env['COLORTERM'] ?? ''),
    terminal: 'screen-256color',
  });
  const source = (text: string) => tmux.run(['source-file', '-'], { input: text });
  const ours = async (text: string): Promise<void> => {
    const problem = replyProblem(await source(text));
    if (problem !== null) throw refused(`tmux did not take the town's settings: ${problem}`, 'gastown doctor');
  };
  const user = userConfPath(env);
  if (user === null) {
    await ours(conf.defaults + conf.musts);
    return [];
  }
  await ours(conf.defaults);
  const theirs = replyProblem(await source(`${settingsOf(readFileSync(user, 'utf8'))}\n`));
  await ours(conf.musts);
  return theirs === null ? [] : [`${user}: ${theirs.replaceAll('\n', '; ')}`];
}

function userConfPath(env: NodeJS.ProcessEnv): string | null {
  const home = env['HOME'] ?? homedir();
  const candidates = [
    join(home, '.tmux.conf'),
    join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'tmux/tmux.conf'),
  ];
  return candidates.find((path) => existsSync(path)) ?? null;
}
