// What the benches of whole commands share: a scratch town of programs that only sleep, and how times are told.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const gastown = new URL('../../dist/gastown.cjs', import.meta.url).pathname;

export function benchTown(agents) {
  const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
  const root = join(folder, 'repo');
  for (const part of ['repo', 'home', 'bin', 'run']) mkdirSync(join(folder, part), { mode: 0o700 });
  writeFileSync(join(folder, 'bin', 'sleeper'), "#!/bin/sh\nprintf '> '\nexec sleep 600\n", { mode: 0o755 });
  writeFileSync(
    join(root, 'gastown.yaml'),
    `worktrees: false\nagents:\n  - {name: polecat, runtime: sleeper, count: ${agents}}\nruntimes:\n  sleeper: {command: sleeper}\n`,
  );
  const env = {
    HOME: join(folder, 'home'),
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    XDG_RUNTIME_DIR: join(folder, 'run'),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
  const node = (words) => execFileSync(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = (words) => node([gastown, ...words]);
  return {
    folder,
    root,
    env,
    node,
    run,
    end() {
      try {
        run(['down']);
      } catch {
        // It was down.
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

export function report(bench, sides, own, bare, bar) {
  const ratio = +(sides[own] / sides[bare]).toFixed(2);
  const rounded = Object.fromEntries(Object.entries(sides).map(([name, ms]) => [name, +ms.toFixed(1)]));
  console.log(JSON.stringify({ bench, ...rounded, ratio, bar }));
}
