/** The scripted model server as a process of its own, with its request log. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scenario, Turn } from './scenario.ts';

/** One request as the server saw it; `kind` tells what answered it. */
interface ModelRequest {
  n: number;
  api: string | null;
  kind?: 'turn' | 'route' | 'default' | 'side';
  body: unknown;
}

export interface FakeModel {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Everything asked so far. `turns` alone: what ate scripted turns, in order. */
  requests(): Promise<ModelRequest[]>;
  turns(): Promise<ModelRequest[]>;
  push(...turns: Turn[]): Promise<void>;
  load(scenario: Scenario): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server that answers by `scenario`; its files lie in `folder`. Stop it, also when the test fails. */
export async function startModel(folder: string, scenario: Scenario): Promise<FakeModel> {
  const file = join(folder, 'scenario.json');
  await writeFile(file, JSON.stringify(scenario));
  const program = fileURLToPath(new URL('fake-model.mjs', import.meta.url));
  const server = spawn(process.execPath, [program, '--port', '0', '--scenario', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const url = /http:\S+/.exec(line.toString())?.[0];
  if (url === undefined) throw new Error(`the model server said ${JSON.stringify(line.toString())}`);
  const post = async (path: string, body: unknown): Promise<void> => {
    await fetch(url + path, { method: 'POST', body: JSON.stringify(body) });
  };
  const requests = async (): Promise<ModelRequest[]> => (await fetch(`${url}/__log`)).json() as Promise<ModelRequest[]>;
  return {
    url,
    requests,
    turns: async () => (await requests()).filter((request) => request.kind === 'turn'),
    push: (...turns) => post('/__push', turns),
    load: (next) => post('/__scenario', next),
    stop: async () => {
      server.kill('SIGTERM');
      await exited;
    },
  };
}
