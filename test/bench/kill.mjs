// `kill -9` of any process at any moment, a thousand rounds (DESIGN section 9): no work item lost, none run twice without a
// start on record. A quarter of an hour.   node test/bench/kill.mjs [rounds]
import { spawnSync } from 'node:child_process';

const words = ['vitest', 'run', '--config', '.config/vitest.config.ts', '--project', 'slow'];
const { stdout, status } = spawnSync('npx', [...words, 'test/e2e/slow/kill-rounds.test.ts'], {
  env: { ...process.env, GASTOWN_KILL_ROUNDS: process.argv[2] ?? '1000' },
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
console.log(/^.*("bench":"kill".*)$/m.exec(stdout)?.[1]?.replace(/^/, '{') ?? stdout);
process.exitCode = status ?? 1;
