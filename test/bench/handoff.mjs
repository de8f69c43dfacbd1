// The gate as a program: a dissolution against `node -e 0`, and the refusal of a sparse file of 20 GB against that of a
// wrong value. Bars: <= 2, and no more time than any other refusal (1.2 allows for noise).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const rounds = 15;
const program = new URL('../../dist/gastown.js', import.meta.url).pathname;
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

const dissolve = (value) => [program, 'dissolve', '--cycle', value];
const times = { bare: [], dissolved: [], refused: [], sparse: [] };
try {
  for (let round = 0; round < rounds; round += 1) {
    times.bare.push(timeMs(['-e', '0'], 0));
    arm();
    times.refused.push(timeMs(dissolve('35'), 4));
    times.dissolved.push(timeMs(dissolve('34'), 0));
    arm();
    truncateSync(hook, 20 * 1024 ** 3);
    times.sparse.push(timeMs(['--max-old-space-size=64', ...dissolve('34')], 6));
    rmSync(hook);
  }
} finally {
  rmSync(tree, { recursive: true, force: true });
}
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const ms = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, +median(list).toFixed(1)]));
console.log(JSON.stringify({ bench: 'handoff', ms, ratio: +(ms.dissolved / ms.bare).toFixed(2), bar: '<= 2' }));
console.log(JSON.stringify({ bench: 'handoff-sparse', ratio: +(ms.sparse / ms.refused).toFixed(2), bar: '<= 1.2' }));
