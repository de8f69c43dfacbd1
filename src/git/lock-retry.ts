/** Git's own locks: waited for a little, never removed. Their owner may live, and only a human can know (field report 55). */
import { statSync } from 'node:fs';
import { refused } from '../domain/errors.ts';
import type { GitAnswer } from './git.ts';

/** Between the attempts; about four seconds in all. */
const delaysMs = [50, 100, 200, 400, 800, 1_000, 1_500];

const lockWords = /\.lock'|could not lock config file|cannot lock ref|unable to lock/i;
/** A git that looks through all worktrees stumbles over one that another git is just making. */
const momentWords = /failed to (read|open) .*worktrees\/[^/]+\//i;

/** Runs `attempt` until it succeeds, a few times when another git was in its way; throws exit 3 with git's words. */
export async function retryWhileLocked(what: string, attempt: () => Promise<GitAnswer>): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt();
    if (answer.ok) return answer.out;
    const delayMs = delaysMs[tries];
    if (!lockWords.test(answer.text) && !momentWords.test(answer.text)) {
      throw refused(`${what}: ${answer.text}`, 'see the words of git');
    }
    if (delayMs === undefined) {
      const hint = 'if no git runs there, remove that lock file yourself';
      throw refused(`${what}: ${answer.text}${ageOfLock(answer.text)}`, hint);
    }
    await new Promise((done) => setTimeout(done, delayMs * (0.5 + Math.random())));
  }
}

/** Git names the lock itself, or the configuration file that it is for. */
function ageOfLock(text: string): string {
  const config = /could not lock config file ([^:]+)/.exec(text)?.[1];
  const path = /'([^']+\.lock)'/.exec(text)?.[1] ?? (config && `${config}.lock`);
  const stat = path ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return stat ? ` (${path} is ${Math.round((Date.now() - stat.mtimeMs) / 1000)} s old)` : '';
}
