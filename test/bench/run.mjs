// All benches, one after the other, each in a process of its own. Each prints both sides and the ratio; nothing fails
// for being slow.   npm run bench [-- NAME …]
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const folder = new URL('.', import.meta.url).pathname;
const shared = ['bundle.mjs', 'run.mjs', 'town.mjs'];
const wanted = process.argv.slice(2);
const benches = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs') && !shared.includes(name))
  .filter((name) => wanted.length === 0 || wanted.includes(name.slice(0, -4)));
let failed = 0;
for (const name of benches) {
  console.log(`── ${name.slice(0, -4)}`);
  if (spawnSync(process.execPath, [folder + name], { stdio: 'inherit' }).status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
