// A hook file is replaced → its row on the terminal shows the new title: 200 agents, 50 changes a second, through the
// store's watcher and the town's feed, beside bare `fs.watch` and the same table in bare Ink.
// Bar: p95 at most 3 × (DESIGN section 9).   node test/bench/tui-file-to-row.mjs [samples]
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPrograms, makeTown, quantile, round, sleep, startOnTerminal } from './tui/pty.mjs';

const samples = Number(process.argv[2] ?? 40);
const agents = 200;
const changesPerSecond = 50;
/** Every so many changes, one is looked for on the screen. */
const lookEvery = 12;
const program = await buildPrograms({ bare: 'test/bench/tui/bare-ink.tsx', pane: 'test/bench/tui/live-app.tsx' });

const town = makeTown(agents);
const hooks = join(town, '.chipset/state/hooks');
const ids = Array.from({ length: agents }, (_, index) => `polecat-${index + 1}`);

function changeHook(id, title) {
  const at = new Date().toISOString();
  const hook = {
    agent_id: id,
    last_activity: at,
    status: 'active',
    work_item: { assigned_at: at, bead_id: 'gt-abc12', title },
  };
  const temp = join(hooks, `.${id}.tmp`);
  writeFileSync(temp, `${JSON.stringify(hook, null, 2)}\n`);
  renameSync(temp, join(hooks, `${id}.json`));
}

async function measure(name, count) {
  for (const id of ids) changeHook(id, 'at the start');
  const terminal = startOnTerminal(program(name), {
    rows: 60,
    columns: 140,
    cwd: town,
    env: { AGENTS: String(agents), WATCH: hooks, TMPDIR: town, XDG_RUNTIME_DIR: '' },
  });
  await terminal.seen(/polecat-20 /);
  const pid = terminal.pid();
  await sleep(2500);
  const times = [];
  for (let change = 1; times.length < count; change += 1) {
    if (change % lookEvery === 0) {
      const title = `mark-${change}`;
      terminal.forget();
      const start = performance.now();
      const seen = terminal.seen(new RegExp(`${title} `));
      changeHook(`polecat-${2 + (change % 18)}`, title);
      times.push((await seen) - start);
    } else {
      changeHook(ids[(change * 7) % agents], `change ${change}`);
      await sleep(1000 / changesPerSecond);
    }
  }
  await terminal.stop(pid);
  return times;
}

const times = { bare: [], pane: [] };
for (let turn = 0; turn < 2; turn += 1) {
  for (const name of ['bare', 'pane']) times[name].push(...(await measure(name, samples / 2)));
}
const result = { bench: 'tui-file-to-row', samples, agents, changes_per_s: changesPerSecond };
for (const name of ['bare', 'pane']) {
  result[`${name}_p50_ms`] = round(quantile(times[name], 0.5));
  result[`${name}_p95_ms`] = round(quantile(times[name], 0.95));
}
result.ratio_p95 = round(result.pane_p95_ms / result.bare_p95_ms, 2);
result.bar = '<= 3';
console.log(JSON.stringify(result));
