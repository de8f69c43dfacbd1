// Start of the process → first frame on the terminal, 30 agents, in turns with a bare bundled Ink app of the same table:
// the pane on a town in memory, and on a real town's files (the feed opened, tmux asked).
// Bar: at most 1.5 × (DESIGN section 9).   node test/bench/tui-first-frame.mjs [rounds]
import { buildPrograms, makeTown, quantile, round, startOnTerminal } from './tui/pty.mjs';

const rounds = Number(process.argv[2] ?? 12);
const program = await buildPrograms({
  bare: 'test/bench/tui/bare-ink.tsx',
  pane: 'test/bench/tui/pane-app.tsx',
  live: 'test/bench/tui/live-app.tsx',
});
const town = makeTown(30);
const times = { bare: [], pane: [], live: [] };
for (let turn = 0; turn < rounds; turn += 1) {
  for (const name of Object.keys(times)) {
    const start = performance.now();
    const terminal = startOnTerminal(program(name), {
      cwd: town,
      env: { AGENTS: '30', TMPDIR: town, XDG_RUNTIME_DIR: '' },
    });
    times[name].push((await terminal.seen(/polecat-20 [\s\S]*polecat-26 /)) - start);
    await terminal.stop(terminal.pid());
  }
}
const [bare, pane, live] = ['bare', 'pane', 'live'].map((name) => quantile(times[name], 0.5));
console.log(
  JSON.stringify({
    bench: 'tui-first-frame',
    rounds,
    bare_ms: round(bare),
    pane_ms: round(pane),
    live_ms: round(live),
    ratio: round(pane / bare, 2),
    live_ratio: round(live / bare, 2),
    bar: '<= 1.5',
  }),
);
