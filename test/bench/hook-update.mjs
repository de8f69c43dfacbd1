// Hook updates of the store against the bare write + fsync + rename + fsync of the folder, in turns, in one process.
// Bar: at least 80 % of the bare rate, on a real disk (DESIGN section 9).
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';

const rounds = 15;
const updates = 40;
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));
const { openStore, changeHook } = await bundle(
  folder,
  "export { openStore } from './src/store/store.ts'; export { changeHook } from './src/store/hooks.ts';",
);
const store = openStore(join(folder, 'state'));
const agent = { kind: 'agent', agent_id: 'a' };
await changeHook(store, 'a', { op: 'set', bead_id: 'gt-a', title: 'bench' }, { kind: 'sling' }, Date.now());
await changeHook(store, 'a', { op: 'activate' }, agent, Date.now());
const bytes = Buffer.from('x'.repeat(260));

function bareUpdate(n) {
  const temp = join(folder, `bare.${n}.tmp`);
  const file = openSync(temp, 'wx', 0o600);
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  renameSync(temp, join(folder, 'bare.json'));
  const parent = openSync(folder, 'r');
  fsyncSync(parent);
  closeSync(parent);
}

const bareMs = [];
const storeMs = [];
for (let round = 0; round < rounds; round += 1) {
  let start = performance.now();
  for (let n = 0; n < updates; n += 1) bareUpdate(n);
  bareMs.push((performance.now() - start) / updates);
  start = performance.now();
  for (let n = 0; n < updates; n += 1) await changeHook(store, 'a', { op: 'touch' }, agent, Date.now());
  storeMs.push((performance.now() - start) / updates);
}
rmSync(folder, { recursive: true, force: true });
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const [bare, own] = [median(bareMs), median(storeMs)];
console.log(
  JSON.stringify({
    bench: 'hook-update',
    bare_ms: +bare.toFixed(3),
    store_ms: +own.toFixed(3),
    rate_ratio: +(bare / own).toFixed(3),
    bar: '>= 0.8',
  }),
);
