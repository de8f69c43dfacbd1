// `gastown status --json` of a running town of 30 agents against a bare `node -e 0`, in turns.
// Bar: at most 2 × (DESIGN section 9).   node test/bench/status.mjs [rounds]
import { benchTown, median, report, timed } from './town.mjs';

const rounds = Number(process.argv[2] ?? 15);
const town = benchTown(30);
try {
  town.run(['up', '--detach']);
  // The settled town: while an agent starts, its screen is asked, too.
  for (;;) {
    const { agents } = JSON.parse(town.run(['status', '--json']));
    if (agents.every((agent) => agent.state !== 'spawning')) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const times = { bare: [], status: [] };
  for (let round = -2; round < rounds; round += 1) {
    const bare = timed(() => town.node(['-e', '0']));
    const status = timed(() => town.run(['status', '--json']));
    if (round < 0) continue;
    times.bare.push(bare);
    times.status.push(status);
  }
  report('status', { node_ms: median(times.bare), status_ms: median(times.status) }, 'status_ms', 'node_ms', '<= 2');
} finally {
  town.end();
}
