// `gastown up` of 30 agents without worktrees, until all panes exist, against a bare shell script that makes the same
// panes with the same programs.   Bar: at most 1.5 × (DESIGN section 9).   node test/bench/up.mjs [rounds]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchTown, median, report, timed } from './town.mjs';

const agents = 30;
const rounds = Number(process.argv[2] ?? 6);
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
const socket = join(folder, 's');
const tmux = `env -u TMUX tmux -S '${socket}' -u -f /dev/null`;
// One window for six panes, as a person would script it: the same number of panes of the same program.
const script = join(folder, 'bare.sh');
writeFileSync(
  script,
  [
    `${tmux} new-session -d -s town -x 200 -y 50 'sleep 600'`,
    ...Array.from({ length: agents }, (_, index) =>
      index % 6 === 0
        ? `${tmux} new-window -d -t town: -n agents-${index} -P -F '#{pane_id}' sleep 600`
        : `${tmux} split-window -d -t town: -P -F '#{pane_id}' sleep 600; ${tmux} select-layout -t town: tiled`,
    ),
    `${tmux} list-panes -a | wc -l`,
  ].join('\n'),
);
const town = benchTown(agents);
try {
  const times = { bare: [], up: [] };
  for (let round = -1; round < rounds; round += 1) {
    const bare = timed(() => execFileSync('sh', [script], { stdio: 'ignore' }));
    execFileSync('sh', ['-c', `${tmux} kill-server`]);
    const up = timed(() => town.run(['up', '--detach']));
    town.run(['down']);
    if (round < 0) continue;
    times.bare.push(bare);
    times.up.push(up);
  }
  report('up', { script_ms: median(times.bare), up_ms: median(times.up) }, 'up_ms', 'script_ms', '<= 1.5');
} finally {
  town.end();
  rmSync(folder, { recursive: true, force: true });
}
