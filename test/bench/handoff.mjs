// The gate as a program: a dissolution against `node -e 0`, and the refusal of a sparse file of 20 GB against that of a
// wrong value, in time and in memory. Bars: <= 2; no more time than any other refusal (1.2 allows for noise); no more
// memory (1.1 allows for the garbage collector).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const rounds = 15;
const program = new URL('../../dist/gastown.cjs', import.meta.url).pathname;
const tree = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
mkdirSync(join(tree, '.git', 'objects'), { recursive: true });
mkdirSync(join(tree, '.git', 'refs'));
writeFileSync(join(tree, '.git', 'HEAD'), 'ref: refs/heads/main\n');
const hook = join(tree, 'HOOK_NEXT_CYCLE.md');
const arm = () => writeFileSync(hook, '# Cycle 034 handoff\n\n- open: the parser\n');

function timeMs(argv, expected) {
  const start = performance.now();
  const ran = spawnSync(process.execPath, argv, { cwd: tree, stdio: 'ignore' });
  const ms = performance.now() - start;
  if (ran.status !== expected) throw new Error(`${argv.join(' ')} exited ${ran.status}, not ${expected}`);
  return ms;
}

/** Peak of resident memory in kB, told by the program itself as it ends. */
const teller = join(tree, '.git', 'tell.cjs');
const told = join(tree, '.git', 'told');
writeFileSync(
  teller,
  `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(told)}, String(process.resourceUsage().maxRSS)))`,
);
function peakKb(argv, expected) {
  timeMs(['--require', teller, ...argv], expected);
  return Number(readFileSync(told, 'utf8'));
}

const dissolve = (value) => [program, 'dissolve', '--cycle', value];
const times = { bare: [], dissolved: [], refused: [], sparse: [] };
const memory = { refused: [], sparse: [] };
try {
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(timeMs(['-e', '0'], 0));
    arm();
    times.refused.push(timeMs(dissolve('35'), 4));
    times.dissolved.push(timeMs(dissolve('34'), 0));
    arm();
    if (round < 5) memory.refused.push(peakKb(dissolve('35'), 4));
    truncateSync(hook, 20 * 1024 ** 3);
    times.sparse.push(timeMs(dissolve('34'), 6));
    if (round < 5) memory.sparse.push(peakKb(dissolve('34'), 6));
    rmSync(hook);
  }
} finally {
  rmSync(tree, { recursive: true, force: true });
}
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const ms = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, +median(list).toFixed(1)]));
console.log(JSON.stringify({ bench: 'handoff', ms, ratio: +(ms.dissolved / ms.bare).toFixed(2), bar: '<= 2' }));
const kb = { refused: median(memory.refused), sparse: median(memory.sparse) };
const memoryRatio = +(kb.sparse / kb.refused).toFixed(2);
console.log(JSON.stringify({ bench: 'handoff-sparse-memory', kb, ratio: memoryRatio, bar: '<= 1.1' }));
console.log(JSON.stringify({ bench: 'handoff-sparse', ratio: +(ms.sparse / ms.refused).toFixed(2), bar: '<= 1.2' }));
