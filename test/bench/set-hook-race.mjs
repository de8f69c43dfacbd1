// Eight processes set the same hook in each of 500 rounds: exactly one may win, and no file may be torn.
// The bare side is `open(O_EXCL)` by the same eight processes: the cheapest way there is to have one winner.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, writeBundle } from './bundle.mjs';

const processes = 8;
const rounds = 500;
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-bench-`));

const own = await writeBundle(
  folder,
  `import { changeHook } from './src/store/hooks.ts';
   import { openStore } from './src/store/store.ts';
   const [stateDir, rounds, name] = process.argv.slice(2);
   const store = openStore(stateDir);
   const wins = [];
   for (let round = 0; round < Number(rounds); round += 1) {
     try {
       await changeHook(store, 'agent-' + round, { op: 'set', bead_id: 'gt-' + name, title: name }, { kind: 'sling' }, Date.now());
       wins.push(round);
     } catch (error) {
       if (error.exit !== 5) throw error;
     }
   }
   console.log(JSON.stringify(wins));`,
);
const bare = join(folder, 'bare.mjs');
writeFileSync(
  bare,
  `import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
   const [dir, rounds, name] = process.argv.slice(2);
   const wins = [];
   for (let round = 0; round < Number(rounds); round += 1) {
     try {
       const fd = openSync(dir + '/' + round, 'wx');
       writeSync(fd, name.repeat(260));
       fsyncSync(fd);
       closeSync(fd);
       const parent = openSync(dir, 'r');
       fsyncSync(parent);
       closeSync(parent);
       wins.push(round);
     } catch (error) {
       if (error.code !== 'EEXIST') throw error;
     }
   }
   console.log(JSON.stringify(wins));`,
);

async function race(program, dir) {
  const start = performance.now();
  const outputs = await Promise.all(
    Array.from({ length: processes }, (_, index) =>
      run(program, [dir, String(rounds), String.fromCharCode(97 + index)]),
    ),
  );
  const wins = outputs.flatMap((text) => JSON.parse(text));
  return { ms: performance.now() - start, wins: wins.length, distinct: new Set(wins).size };
}

function run(program, args) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.on('close', (code) => (code === 0 ? done(out) : fail(new Error(`exit ${code}`))));
  });
}

mkdirSync(join(folder, 'bare'));
const bareResult = await race(bare, join(folder, 'bare'));
const ownResult = await race(own, join(folder, 'state'));
const { openStore } = await bundle(folder, "export { openStore } from './src/store/store.ts';");
const read = [...openStore(join(folder, 'state')).hooks.readAll().values()];
const torn = read.filter(({ kind }) => kind !== 'ok').length;
const left = readdirSync(join(folder, 'state', 'locks')).length;
rmSync(folder, { recursive: true, force: true });
const passed = ownResult.wins === rounds && ownResult.distinct === rounds && torn === 0 && read.length === rounds;
console.log(
  JSON.stringify({
    bench: 'set-hook-race',
    bare_ms: Math.round(bareResult.ms),
    store_ms: Math.round(ownResult.ms),
    ratio: +(ownResult.ms / bareResult.ms).toFixed(2),
    rounds,
    winners: ownResult.wins,
    torn,
    locks_left: left,
    bar: 'one winner a round, none torn',
    passed,
  }),
);
process.exitCode = passed ? 0 : 1;
