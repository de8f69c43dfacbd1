// tmux 3.2 or later, installed where this machine lets us; else one line that says how. Exit 1 when there is none.
import { spawnSync } from 'node:child_process';

const least = [3, 2];
const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };

if (isThere()) process.exit(0);
const installers = {
  'apt-get': [
    ['update', '-qq'],
    ['install', '-y', '-qq', 'tmux'],
  ],
  apk: [['add', '--quiet', 'tmux']],
  dnf: [['install', '-y', '-q', 'tmux']],
  pacman: [['-Sy', '--noconfirm', '--quiet', 'tmux']],
  brew: [['install', '--quiet', 'tmux']],
};
const installer = Object.keys(installers).find((name) => has(name));
const asRoot = process.getuid?.() === 0 || installer === 'brew' ? [] : ['sudo', '-n'];
const mayInstall = installer && (asRoot.length === 0 || spawnSync('sudo', ['-n', 'true'], quiet).status === 0);

if (mayInstall) {
  process.stderr.write(`installing tmux with ${installer}\n`);
  for (const words of installers[installer]) {
    const [program, ...rest] = [...asRoot, installer, ...words];
    spawnSync(program, rest, quiet);
  }
  if (isThere()) process.exit(0);
}
const how = installer
  ? `${installer === 'brew' ? '' : 'sudo '}${installer} ${installers[installer].at(-1).join(' ')}`
  : 'see https://github.com/tmux/tmux/wiki/Installing';
process.stderr.write(`gastown needs tmux ${least.join('.')} or later, and it is not here; install it: ${how}\n`);
process.exit(1);

function isThere() {
  const { status, stdout } = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  if (status !== 0) return false;
  const found = /(\d+)\.(\d+)/.exec(stdout);
  if (!found) return true;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  return major > least[0] || (major === least[0] && minor >= least[1]);
}

function has(name) {
  return spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0;
}
