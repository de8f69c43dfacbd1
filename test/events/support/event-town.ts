/** A town's state on disk with one agent, and the real entry: the generated script before the bundled program. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildEvent } from '../../../.config/build-event.mjs';
import { newSession } from '../../../src/domain/freshness.ts';
import type { AgentRecord, SessionRecord } from '../../../src/domain/records.ts';
import { handleEvent } from '../../../src/events/handle.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { entryScript } from '../../../src/town/events/entry-script.ts';
import { changeSession } from '../../../src/town/events/sessions.ts';

export interface Answer {
  exit: number | null;
  out: string;
  err: string;
}

export interface EventTown {
  root: string;
  stateDir: string;
  store: Store;
  /** Absolute path of `gt-event`. */
  entry: string;
  env: Record<string, string>;
  /** Fires one event the way a runtime does; `words` is `<Event> [Tool]`. An object becomes JSON. */
  fire(words: string, payload: unknown, env?: Record<string, string | undefined>): Promise<Answer>;
  session(id: string): SessionRecord | null;
  agent(): AgentRecord;
  close(): void;
}

export const agentId = 'polecat-alpha';
export const instanceId = 'instance-1';
export const sessionId = '00000000-0000-4000-8000-000000000001';

let program: Promise<string> | null = null;
const scratch: string[] = [];

/** The bundled event program, as `npm run build` makes it; once a test run. */
export function eventProgram(): Promise<string> {
  program ??= bundle();
  return program;
}

async function bundle(): Promise<string> {
  // Inside the package, as `dist` is: the program finds its package from its own place.
  const outdir = join(process.cwd(), 'node_modules', '.cache', `gt-test-${process.pid}-events`);
  scratch.push(outdir);
  await buildEvent(outdir);
  await build({
    entryPoints: { 'event-handlers': 'src/events/event-handlers.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['better-sqlite3', 'fsevents'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return join(outdir, 'event.cjs');
}

export function removeScratch(): void {
  for (const folder of scratch.splice(0)) rmSync(folder, { recursive: true, force: true });
  program = null;
}

export function newScratch(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-${name}-`)));
  scratch.push(folder);
  return folder;
}

/** With `entry: false` only `handle` works: nothing is bundled. */
export async function openEventTown(
  options: { runtime?: string; folder?: string; entry?: false } = {},
): Promise<EventTown> {
  const root = join(newScratch('events'), options.folder ?? 'town');
  const stateDir = join(root, '.chipset', 'state');
  const bin = join(root, '.chipset', 'bin');
  for (const folder of [bin, join(stateDir, 'agents'), join(stateDir, 'heartbeat')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'gastown.yaml'), `agents:\n  - {id: ${agentId}, runtime: ${options.runtime ?? 'claude'}}\n`);
  const entry = join(bin, 'gt-event');
  writeFileSync(
    entry,
    entryScript({ node: process.execPath, eventProgram: options.entry === false ? '' : await eventProgram() }),
  );
  chmodSync(entry, 0o755);
  const store = openStore(stateDir);
  await store.agents.update(agentId, () => agentRecord(options.runtime ?? 'claude'));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    GT_AGENT_ID: agentId,
    GT_INSTANCE_ID: instanceId,
    GT_STATE_DIR: stateDir,
  };
  return {
    root,
    stateDir,
    store,
    entry,
    env,
    fire: (words, payload, extra = {}) => fire(entry, words.split(' '), payload, { ...env, ...extra }),
    session: (id) => {
      const read = store.sessions.read(id);
      return read.kind === 'ok' ? read.value : null;
    },
    agent: () => {
      const read = store.agents.read(agentId);
      if (read.kind !== 'ok') throw new Error(`agent is ${read.kind}`);
      return read.value;
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

export function fire(
  command: string,
  args: readonly string[],
  payload: unknown,
  env: Record<string, string | undefined>,
): Promise<Answer> {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      err += String(chunk);
    });
    child.on('error', failed);
    // The fast path leaves its payload unread, and may be gone before it is written.
    child.stdin.on('error', () => {});
    child.on('close', (exit) => done({ exit, out, err }));
    child.stdin.end(typeof payload === 'string' ? payload : JSON.stringify(payload));
  });
}

export const agentRecord = (runtime: string): AgentRecord => ({
  agent_id: agentId,
  role: 'polecat',
  runtime,
  instance_id: instanceId,
  pane_id: '%1',
  pid: null,
  pid_started: null,
  started_at: '2026-01-01T00:00:00.000Z',
  session_id: null,
  previous_sessions: [],
  worktree: null,
  branch: null,
  stop_intent: false,
  strategy: 'hook_injection',
  fallback_at: null,
  ready_at: null,
  first_event_at: null,
  start_error: null,
  start_text: null,
  start_receipt: null,
  primed_at: null,
});

/** The same event inside this process: what the bundled program does between stdin and stdout. */
export function handle(town: EventTown, words: string, payload: unknown, now = Date.now()): Promise<string> {
  const [name = '', toolWord] = words.split(' ');
  return handleEvent({
    caller: { agentId, instanceId, stateDir: town.stateDir },
    name,
    toolWord: toolWord ?? null,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    env: town.env,
    now,
    parent: process.pid,
    handlers: async () => [],
  });
}

/** A governed session of the agent, as the fields say. */
export async function haveSession(town: EventTown, fields: Partial<SessionRecord> = {}, id = sessionId): Promise<void> {
  const record = { ...newSession(id, agentId, true, 0), instance_id: instanceId, ...fields };
  await changeSession(town.store, id, () => record, null);
  await town.store.agents.update(agentId, (agent) => agent && { ...agent, session_id: id });
}

export const parked = { status: 'parked', note: 'waits for the build' } as const;
