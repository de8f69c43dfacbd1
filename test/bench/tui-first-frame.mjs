// Start of the process → first frame on the terminal, 30 agents, in turns with a bare bundled Ink app of the same table.
// Bar: at most 1.5 × (DESIGN section 9).   node test/bench/tui-first-frame.mjs [rounds]
import { buildPrograms, quantile, round, startOnTerminal } from './tui/pty.mjs';

const rounds = Number(process.argv[2] ?? 12);
const program = await buildPrograms({ bare: 'test/bench/tui/bare-ink.tsx', pane: 'test/bench/tui/pane-app.tsx' });
const times = { bare: [], pane: [] };
for (let turn = 0; turn < rounds; turn += 1) {
  for (const name of ['bare', 'pane']) {
    const start = performance.now();
    const terminal = startOnTerminal(program(name), { env: { AGENTS: '30' } });
    times[name].push((await terminal.seen(/polecat-20 [\s\S]*polecat-27 /)) - start);
    await terminal.stop(terminal.pid());
  }
}
const [bare, pane] = [quantile(times.bare, 0.5), quantile(times.pane, 0.5)];
console.log(
  JSON.stringify({
    bench: 'tui-first-frame',
    rounds,
    bare_ms: round(bare),
    pane_ms: round(pane),
    ratio: round(pane / bare, 2),
    bar: '<= 1.5',
  }),
);
