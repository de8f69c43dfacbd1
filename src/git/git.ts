/** The one way git is asked: a clean environment, a time limit, an answer that tells "no" from "cannot tell". */
import { execa } from 'execa';
import { refused } from '../domain/errors.ts';

export type GitAnswer =
  | { ok: true; out: string }
  /** `code` is git's exit code; null when it was not there, or was stopped at its time limit. */
  | { ok: false; code: number | null; text: string };

export interface GitOptions {
  timeoutMs?: number;
}

const limitBytes = 64 * 1024 * 1024;

/** Runs git in `cwd`; never throws. `out` is stdout without its last newline, `text` git's own words in one line. */
export async function git(
  cwd: string,
  args: readonly string[],
  { timeoutMs = 20_000 }: GitOptions = {},
): Promise<GitAnswer> {
  const result = await execa('git', ['-c', 'core.quotePath=false', ...args], {
    cwd,
    env: cleanEnvironment(process.env),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: timeoutMs,
    forceKillAfterDelay: 2_000,
    maxBuffer: limitBytes,
  });
  if (!result.failed) return { ok: true, out: result.stdout };
  if (result.timedOut) return { ok: false, code: null, text: `git ${args[0]} took longer than ${timeoutMs / 1000} s` };
  if (result.code === 'ENOENT') return { ok: false, code: null, text: 'git is not installed, or the folder is gone' };
  const text = oneLine(result.stderr) || oneLine(result.stdout) || oneLine(result.shortMessage ?? '');
  return { ok: false, code: result.exitCode ?? null, text };
}

/** Stdout, or exit 3 with `what` and git's own words. */
export async function gitOrRefuse(
  cwd: string,
  args: readonly string[],
  what: string,
  options?: GitOptions,
): Promise<string> {
  const answer = await git(cwd, args, options);
  if (answer.ok) return answer.out;
  throw refused(`${what}: ${answer.text}`, 'see the words of git');
}

/** No GIT_* of the caller can redirect git, nothing prompts, messages are in English, and looking takes no lock. */
function cleanEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
}

const oneLine = (text: string): string =>
  text
    .trim()
    .replace(/\s*\n\s*/g, ' · ')
    .slice(0, 500);
