// An idle control pane with 30 agents beside a bare, unchanging Ink app, at the same time: CPU, memory, bytes written.
// Bar: CPU at most 2 × or 0.5 % of a core, memory at most 1.2 ×, no byte written.   node test/bench/tui-idle.mjs [seconds]
import { buildPrograms, round, sleep, startOnTerminal, usage } from './tui/pty.mjs';

const seconds = Number(process.argv[2] ?? 25);
const program = await buildPrograms({ bare: 'test/bench/tui/bare-ink.tsx', pane: 'test/bench/tui/pane-app.tsx' });
const env = { AGENTS: '30' };
const runs = {
  bare: startOnTerminal(program('bare'), { env }),
  pane: startOnTerminal(program('pane'), { env }),
  // Young ages: all rows read differently every 5 s.
  pane_aging: startOnTerminal(program('pane'), { env: { ...env, AGE_MS: '10000' } }),
};
const results = { bench: 'tui-idle', seconds };
const pids = {};
for (const [name, run] of Object.entries(runs)) {
  await run.seen(/polecat-20 /);
  pids[name] = run.pid();
}
await sleep(4000);
const before = Object.fromEntries(
  Object.entries(pids).map(([name, pid]) => [name, { ...usage(pid), bytes: runs[name].bytes() }]),
);
await sleep(seconds * 1000);
for (const [name, pid] of Object.entries(pids)) {
  const now = usage(pid);
  results[name] = {
    cpu_percent: round(((now.cpu_s - before[name].cpu_s) / seconds) * 100, 2),
    rss_mb: round(now.rss_mb),
    bytes: runs[name].bytes() - before[name].bytes,
  };
  await runs[name].stop(pid);
}
results.rss_ratio = round(results.pane.rss_mb / results.bare.rss_mb, 2);
results.bar = 'cpu <= 2 x bare or 0.5 %, rss <= 1.2 x, 0 bytes';
console.log(JSON.stringify(results));
