// `gastown up` of 30 agents without worktrees against a bare shell script that makes the same panes with the same
// program: until all of them run it, and until the command has ended.
// Bar: at most 1.5 × until all panes exist (DESIGN section 9).   node test/bench/up.mjs [rounds]
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchTown, gastown, median, report } from './town.mjs';

const agents = 30;
const rounds = Number(process.argv[2] ?? 6);
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
const socket = join(folder, 's');
const tmux = `env -u TMUX tmux -S '${socket}' -u -f /dev/null`;
const town = benchTown(agents);
// Each program of a pane says that it runs, by one letter.
const started = join(town.env.HOME, 'started');
writeFileSync(
  join(town.folder, 'bin', 'sleeper'),
  '#!/bin/sh\nprintf x >> "$HOME/started"\nprintf \'> \'\nexec sleep 600\n',
);
// One window for six panes, as a person would script it.
const script = join(folder, 'bare.sh');
writeFileSync(
  script,
  [
    `${tmux} new-session -d -s town -x 200 -y 50 'sleep 600'`,
    ...Array.from({ length: agents }, (_, index) =>
      index % 6 === 0
        ? `${tmux} new-window -d -t town: -n agents-${index} -P -F '#{pane_id}' sleeper`
        : `${tmux} split-window -d -t town: -P -F '#{pane_id}' sleeper; ${tmux} select-layout -t town: tiled`,
    ),
    `${tmux} list-panes -a | wc -l`,
  ].join('\n'),
);

/** Milliseconds until all panes run their program, and until the command has ended. */
async function run(command, args) {
  rmSync(started, { force: true });
  const start = performance.now();
  let endMs = null;
  const child = spawn(command, args, { cwd: town.root, env: town.env, stdio: 'ignore' });
  child.on('exit', () => {
    endMs = performance.now() - start;
  });
  let panesMs = null;
  while (panesMs === null || endMs === null) {
    if (panesMs === null && statSync(started, { throwIfNoEntry: false })?.size === agents) {
      panesMs = performance.now() - start;
    }
    if (performance.now() - start > 30_000) throw new Error(`${command}: not all panes run after 30 s`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return { panesMs, endMs };
}

try {
  const [bare, up] = [[], []];
  for (let round = -1; round < rounds; round += 1) {
    const byScript = await run('sh', [script]);
    execFileSync('sh', ['-c', `${tmux} kill-server`]);
    const byUp = await run(process.execPath, [gastown, 'up', '--detach']);
    town.run(['down']);
    if (round < 0) continue;
    bare.push(byScript);
    up.push(byUp);
  }
  const of = (list, key) => median(list.map((each) => each[key]));
  report('up', { script_ms: of(bare, 'panesMs'), up_ms: of(up, 'panesMs') }, 'up_ms', 'script_ms', '<= 1.5');
  report('up-to-its-end', { script_ms: of(bare, 'endMs'), up_ms: of(up, 'endMs') }, 'up_ms', 'script_ms', 'none');
} finally {
  town.end();
  rmSync(folder, { recursive: true, force: true });
}
