/**
 * A canary: one event of an agent's runtime, fired by the command line that is really installed, and seen to arrive.
 * It runs as an instance of its own, so that nothing of the agent changes.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeOf } from '../../runtimes/registry.ts';
import { agentOf, type Town } from '../context.ts';
import { readSettings } from '../settings-file.ts';
import { canaryPath, canaryPrefix } from './canary-sign.ts';
import { findEvents } from './install.ts';

export interface Canary {
  arrived: boolean;
  /** The command that was run; null where there is none to run. */
  command: string | null;
  /** Why it did not arrive, in words; empty when it did. */
  why: string;
}

/** Takes up to 10 s. Throws exit 1 for an agent that is not of this town. */
export async function fireCanary(town: Town, agentId: string): Promise<Canary> {
  const agent = agentOf(town, agentId);
  const { descriptor } = runtimeOf(agent.runtime, town.config.runtimes);
  const file = settingsOf(town, agentId, descriptor.id);
  const command = file === null ? null : commandIn(file, join(town.binDir, 'gt-event'));
  if (command === null) return { arrived: false, command, why: 'no events are installed' };
  if (!existsSync(join(town.binDir, 'gt-event'))) {
    return { arrived: false, command: null, why: 'its entry is not there yet: gastown up writes it' };
  }
  const nonce = `${canaryPrefix}${randomBytes(6).toString('hex')}`;
  const env = {
    ...town.env,
    GT_AGENT_ID: agentId,
    GT_INSTANCE_ID: nonce,
    GT_STATE_DIR: town.stateDir,
    GT_EVENT_BIN: join(town.binDir, 'gt-event'),
    GASTOWN_DISABLE: undefined,
  };
  const failed = await run(command, env);
  const path = canaryPath(town.store.paths, agentId);
  const arrived = landed(path) === nonce;
  rmSync(path, { force: true });
  return { arrived, command, why: arrived ? '' : (failed ?? 'the command ran and nothing arrived') };
}

/** Text of the file that names the agent's events; null where there is none. */
function settingsOf(town: Town, agentId: string, runtime: string): string | null {
  const place = findEvents(town, runtime);
  const path = place.state === 'with-start' ? join(town.stateDir, 'runtime', `${agentId}.settings.json`) : place.path;
  try {
    return path === null ? null : readSettings(path);
  } catch {
    return null;
  }
}

/** The first command that runs our entry; a plugin runs it by itself. */
function commandIn(text: string, entry: string): string | null {
  if (text.startsWith('//')) return `"$GT_EVENT_BIN" session.created`;
  const found = /"command"\s*:\s*("(?:[^"\\]|\\.)*(?:gt-event|GT_EVENT_BIN)(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (found === undefined) return null;
  const command = JSON.parse(found) as string;
  return command.includes('GT_EVENT_BIN') || command.includes(entry) ? command : null;
}

/** As runtimes do: by `sh -c`, never by a login shell, the payload on stdin. Answers why it failed, or null. */
function run(command: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((done) => {
    const child = execFile('/bin/sh', ['-c', command], { env, timeout: 10_000 }, (error, _out, err) => {
      const status = error === null ? null : `it ended with ${error.code ?? error.signal ?? 'an error'}`;
      done(status === null ? null : `${status}${err.trim() === '' ? '' : `: ${err.trim().slice(0, 200)}`}`);
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end('{"session_id":"canary","hook_event_name":"Canary"}');
  });
}

function landed(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
