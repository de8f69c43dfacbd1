/**
 * `gastown handlers test`: fires the events of a handler's sample at the command that is installed, in a folder of its own
 * below the state. Nothing of the town is read or changed but that command.
 */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newSession } from '../../domain/freshness.ts';
import type { HandlerName } from '../../domain/handlers/names.ts';
import { type Fire, type Sample, sampleSession, samples } from '../../domain/handlers/samples.ts';
import { openStore } from '../../store/store.ts';
import type { Town } from '../context.ts';
import { entryScript } from '../events/entry-script.ts';
import { changeSession } from '../events/sessions.ts';
import { neverStarted } from '../launch.ts';
import { addToNotepad } from './notepad.ts';
import { putInForce } from './put-in-force.ts';

/** One event and what came of it. */
export interface Fired {
  words: string;
  /** What the runtime would be told; empty for nothing. */
  answer: string;
  /** The line of the answer or of a file that shows the handler's doing; null where nothing does. */
  shown: string | null;
}

export interface Trial {
  name: HandlerName;
  runtime: string;
  /** The command that was run. */
  command: string;
  answers: Fired;
  leaves: Fired;
  /** It answered the one and left the other alone. */
  ok: boolean;
}

const agentId = 'trial';
const instanceId = 'trial';
const fireMs = 10_000;

/** Some hundred milliseconds. Throws what keeps the trial's own folder from being made. */
export async function tryHandler(town: Town, name: HandlerName, sample = samples[name]): Promise<Trial> {
  const answers = await inFolder(town, name, sample, [...sample.before, sample.answers]);
  const leaves = await inFolder(town, name, sample, [sample.leaves]);
  return {
    name,
    runtime: sample.runtime,
    command: answers.command,
    answers: answers.fired,
    leaves: leaves.fired,
    ok: answers.fired.shown !== null && leaves.fired.shown === null,
  };
}

/** Fires all of `fires`; what is told is of the last one. */
async function inFolder(town: Town, name: HandlerName, sample: Sample, fires: readonly Fire[]) {
  const root = join(town.stateDir, `trial-${process.pid}`);
  // Where there was no state, none is left.
  const made = mkdirSync(root, { recursive: true, mode: 0o700 }) ?? root;
  try {
    const command = await arrange(town, root, name, sample);
    let answer = '';
    let before = '';
    for (const fire of fires) {
      before = written(root);
      answer = await run(command, root, sample, fire);
    }
    const news = linesNotIn(before, written(root));
    const shown = [answer, ...news].find((line) => sample.shows.test(line)) ?? null;
    return { command, fired: { words: fires.at(-1)?.words ?? '', answer, shown: shown?.trim().slice(0, 400) ?? null } };
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** A town of one agent in the middle of a session; answers the command. */
async function arrange(town: Town, root: string, name: HandlerName, sample: Sample): Promise<string> {
  const store = openStore(join(root, '.chipset', 'state'));
  for (const [path, text] of Object.entries(sample.files)) put(join(root, path), text);
  put(join(root, 'gastown.yaml'), `agents:\n  - {id: ${agentId}, runtime: ${sample.runtime}}\n`);
  const now = town.clock();
  const at = new Date(now).toISOString();
  const config = { agent_id: agentId, role: sample.role, runtime: sample.runtime };
  await store.agents.update(agentId, () => ({
    ...neverStarted({ ...config, permissions: 'default', args: [], env: {} }),
    ...{ instance_id: instanceId, session_id: sampleSession, started_at: at, ready_at: at, first_event_at: at },
  }));
  const session = {
    ...newSession(sampleSession, agentId, true, now),
    instance_id: instanceId,
    status: 'active' as const,
  };
  await changeSession(store, sampleSession, () => session, null);
  for (const note of sample.notes) await addToNotepad(store, agentId, note, true, now);
  const handlers = { [name]: { enabled: true, ...sample.options } };
  await putInForce({ store, root, config: { agents: [], handlers } });
  const installed = join(town.binDir, 'gt-event');
  if (existsSync(installed)) return installed;
  const own = join(root, 'gt-event');
  put(own, entryScript({ node: town.node, eventProgram: join(town.distDir, 'event.cjs') }));
  chmodSync(own, 0o755);
  return own;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
}

/** As a runtime does: the payload on standard input; answers what is on standard output. */
function run(command: string, root: string, { runtime }: Sample, { words, payload }: Fire): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    GT_AGENT_ID: agentId,
    GT_INSTANCE_ID: instanceId,
    GT_STATE_DIR: join(root, '.chipset', 'state'),
    GT_RUNTIME: runtime,
    CLAUDE_ENV_FILE: join(root, 'env.sh'),
  };
  return new Promise((done, failed) => {
    const child = spawn(command, words.split(' '), {
      env,
      cwd: root,
      timeout: fireMs,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.on('error', failed);
    child.on('close', () => done(out.trim()));
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(payload).replaceAll('{root}', JSON.stringify(root).slice(1, -1)));
  });
}

/** All lines below `root`. */
const written = (root: string): string =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/locks'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

function linesNotIn(before: string, after: string): string[] {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !known.has(line));
}
