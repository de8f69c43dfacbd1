/** One real CLI, one scratch town's worth of folders, one scripted model: the bench on which a launch plan is proven. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receipt } from '../../../src/domain/delivery.ts';
import type { StartRequest } from '../../../src/domain/runtime.ts';
import { runtimeOf } from '../../../src/runtimes/registry.ts';
import type { Runtime } from '../../../src/runtimes/runtime.ts';
import { deliver } from '../../../src/tmux/deliver.ts';
import { spawnTmux } from '../../../src/tmux/spawn-client.ts';
import { installReal, type RealRuntime } from './install.ts';
import { type FakeModel, startModel } from './model.ts';
import { openPane, type Pane, type PaneOptions } from './pane.ts';
import type { Scenario } from './scenario.ts';
import { type Seed, seedHome } from './seed.ts';

export interface Lab {
  folder: string;
  home: string;
  /** The repository; agents stand in a tree below it, as a polecat does. */
  root: string;
  cwd: string;
  /** Absolute path of the stand-in for `gt`, which records its words and prints `GT-RAN <words>`. */
  gt: string;
  runtime: Runtime;
  model: FakeModel;
  start(request?: Partial<StartRequest>, size?: PaneOptions['size']): Promise<Pane>;
  /** The town's own delivery into a pane of this lab; the composer is its proof, unless `event` names a better one. */
  deliver(pane: Pane, text: string, event?: string): Promise<Receipt>;
  /** Words of every `gt-event` call so far, and of every `gt` call. */
  events(): string[];
  calls(): string[];
  close(): Promise<void>;
}

/** What SessionStart prints in place of the prime. */
export const primeMark = 'PRIME-MARK-4711';

export async function openLab(
  id: RealRuntime,
  { scenario = {}, seed = {} }: { scenario?: Scenario; seed?: Partial<Seed> } = {},
): Promise<Lab> {
  const program = await installReal(id);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-`)));
  const root = join(folder, 'repo');
  const cwd = join(root, '.chipset', 'worktrees', 'polecat-alpha');
  const binDir = join(root, '.chipset', 'bin');
  const stateDir = join(root, '.chipset', 'state');
  for (const path of [cwd, binDir, stateDir]) mkdirSync(path, { recursive: true });
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@t', ...words]);
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'init');
  const eventLog = join(folder, 'events');
  const callLog = join(folder, 'calls');
  const script = (name: string, body: string): void =>
    writeFileSync(join(binDir, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  script('gt-event', `echo "$*" >> ${eventLog}\n[ "$1" != SessionStart ] || echo ${primeMark}\nexit 0`);
  script('gt', `echo "$*" >> ${callLog}\necho "GT-RAN $*"`);

  const model = await startModel(folder, scenario);
  const home = join(folder, 'home');
  const seeded = await seedHome(id, { home, trees: [root], modelUrl: model.url, ...seed });
  const runtime = runtimeOf(id);
  const panes: Pane[] = [];
  const linesOf = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
  return {
    folder,
    home,
    root,
    cwd,
    gt: join(binDir, 'gt'),
    runtime,
    model,
    start: async (request = {}, size) => {
      const plan = runtime.plan({
        agent_id: 'polecat-alpha',
        role: 'polecat',
        instance_id: 'i-1',
        cwd,
        stateDir,
        binDir,
        program,
        node: process.execPath,
        distDir: join(folder, 'dist'),
        path: process.env['PATH'] ?? '',
        strategy: runtime.descriptor.strategy,
        permissions: 'default',
        session_id: null,
        resume: null,
        firstPrompt: null,
        ...request,
        args: [...seeded.args, ...(request.args ?? [])],
        env: { ...seeded.env, ...request.env },
      });
      const place = join(folder, `p${panes.length}`);
      mkdirSync(place);
      const pane = await openPane({ folder: place, cwd, plan, env: {}, ...(size === undefined ? {} : { size }) });
      panes.push(pane);
      return pane;
    },
    deliver: (pane, text, event) => {
      const before = linesOf(eventLog).length;
      const { screen, submit } = runtime.descriptor;
      return deliver(
        spawnTmux(pane.socket),
        { pane_id: pane.pane_id, expectedPid: pane.pid },
        text,
        { screen, submit },
        {
          lockDir: join(folder, 'locks'),
          ...(event === undefined ? {} : { proof: async () => linesOf(eventLog).slice(before).includes(event) }),
        },
      );
    },
    events: () => linesOf(eventLog),
    calls: () => linesOf(callLog),
    close: async () => {
      for (const pane of panes) await pane.close();
      await model.stop();
      // A CLI that was just ended may still be writing its last file.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
