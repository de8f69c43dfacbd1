/** Node, tmux, git: what the town cannot run without. */
import { execa } from 'execa';
import { findBinary, versionOf } from '../../runtimes/find-binary.ts';
import type { Env } from '../context.ts';
import { type Check, check, isAtLeast } from './check.ts';

const leastNode = '20.19';
const leastTmux = '3.2';

export async function machineChecks(root: string, env: Env): Promise<Check[]> {
  const [tmux, git] = await Promise.all([tmuxCheck(root, env), gitCheck(root, env)]);
  return [nodeCheck(), localeCheck(env), tmux, git];
}

function nodeCheck(): Check {
  const { version } = process;
  if (isAtLeast(version, leastNode)) return check('machine', 'node', 'ok', `Node ${version}`);
  return check('machine', 'node', 'fail', `Node ${version} is older than ${leastNode}`, 'install a newer Node');
}

/** tmux is told that the terminal speaks UTF-8 anyway; the programs in the panes go by these variables. */
function localeCheck(env: Env): Check {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (/utf-?8/i.test(locale)) return check('machine', 'locale', 'ok', locale);
  const text = locale === '' ? 'no locale is set' : `the locale ${locale} is not UTF-8`;
  return check(
    'machine',
    'locale',
    'warn',
    `${text}: agents may print "?" for other letters`,
    'set LANG to a UTF-8 one',
  );
}

async function tmuxCheck(root: string, env: Env): Promise<Check> {
  const program = await findBinary('tmux', env['PATH'] ?? '', root);
  const how = process.platform === 'darwin' ? 'brew install tmux' : 'apt install tmux, or as your system does it';
  if (program === null) return check('tmux', 'program', 'fail', 'tmux is not on PATH', how);
  const answer = await execa(program, ['-V'], { reject: false, timeout: 5_000, stdin: 'ignore' });
  const version = answer.stdout?.trim() ?? '';
  const enough = isAtLeast(version, leastTmux);
  // Builds from the development branch call themselves "tmux master" or "tmux next-3.6".
  if (enough === null) return check('tmux', 'program', 'warn', `${program} is "${version}": a version I cannot read`);
  if (enough) return check('tmux', 'program', 'ok', `${version} at ${program}`);
  return check('tmux', 'program', 'fail', `${version} is older than ${leastTmux}`, how);
}

async function gitCheck(root: string, env: Env): Promise<Check> {
  const program = await findBinary('git', env['PATH'] ?? '', root);
  if (program !== null) return check('git', 'program', 'ok', `git ${await versionOf(program)} at ${program}`);
  return check('git', 'program', 'warn', 'git is not on PATH: agents share one tree', 'install git for worktrees');
}
