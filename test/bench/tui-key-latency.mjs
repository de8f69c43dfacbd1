// Key pressed → the selection on the terminal, 200 agents, 50 changes a second, beside a bare Ink app of the same table.
// Bar: p95 at most 2 × (DESIGN section 9).   node test/bench/tui-key-latency.mjs [keys]
import { buildPrograms, quantile, round, sleep, startOnTerminal } from './tui/pty.mjs';

const keys = Number(process.argv[2] ?? 80);
const program = await buildPrograms({ bare: 'test/bench/tui/bare-ink.tsx', pane: 'test/bench/tui/pane-app.tsx' });
const env = { AGENTS: '200', CHANGES: '50' };

async function measure(name, from, times) {
  const terminal = startOnTerminal(program(name), { env, rows: 60 });
  await terminal.seen(/polecat-20 /);
  const pid = terminal.pid();
  await sleep(1500);
  for (let index = from; index < from + keys / 2; index += 1) {
    terminal.forget();
    const start = performance.now();
    terminal.write('j');
    times.push((await terminal.seen(new RegExp(`▌[^▌]{0,4}polecat-${index + 2} `))) - start);
    await sleep(20 + Math.random() * 60);
  }
  await terminal.stop(pid);
}

const times = { bare: [], pane: [] };
for (const name of ['bare', 'pane', 'bare', 'pane']) await measure(name, 0, times[name]);
const result = { bench: 'tui-key-latency', keys, agents: 200, changes_per_s: 50 };
for (const name of ['bare', 'pane']) {
  result[`${name}_p50_ms`] = round(quantile(times[name], 0.5));
  result[`${name}_p95_ms`] = round(quantile(times[name], 0.95));
}
result.ratio_p95 = round(result.pane_p95_ms / result.bare_p95_ms, 2);
result.bar = '<= 2';
console.log(JSON.stringify(result));
