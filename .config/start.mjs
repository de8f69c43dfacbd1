// `npm start`: a town in this very repository, with the agent programs this machine has, or a demo town where it has
// none. Without a terminal it comes up in the background and shows its table once.
import { spawnSync } from 'node:child_process';

const gastown = new URL('../dist/gastown.cjs', import.meta.url).pathname;
const run = (...words) => spawnSync(process.execPath, [gastown, ...words], { stdio: 'inherit' }).status ?? 1;
const isThere = (name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0;

const hasAgents = ['claude', 'codex', 'gemini', 'opencode'].some(isThere);
const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
const words = process.argv.slice(2);
const code = run(
  'up',
  ...(hasAgents ? [] : ['--demo']),
  ...(isTerminal || words.includes('--detach') ? [] : ['--detach']),
  ...words,
);
if (code === 0 && !isTerminal) {
  run('status');
  process.stdout.write('\nlook: node dist/gastown.cjs status · end it: node dist/gastown.cjs down\n');
}
process.exit(code);
