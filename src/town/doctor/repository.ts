/** The repository: is it one, is our state out of its sight, and does a lock of git's stand in the way? */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatAge } from '../../domain/time.ts';
import { git } from '../../git/git.ts';
import { type Check, check } from './check.ts';

/** Younger than this, a lock belongs to a git that runs. */
const staleLockMs = 60_000;

export async function repositoryChecks(root: string, now: number, fix: (() => void) | null): Promise<Check[]> {
  const inside = await git(root, ['rev-parse', '--git-common-dir']);
  if (!inside.ok) {
    return [
      check('git', 'repository', 'warn', `${root} is not a git repository: no worktrees`, 'git init, if you like'),
    ];
  }
  return [
    check('git', 'repository', 'ok', root),
    await ignoredCheck(root, fix),
    ...lockChecks(join(root, inside.out), now),
  ];
}

async function ignoredCheck(root: string, fix: (() => void) | null): Promise<Check> {
  const isIgnored = async (): Promise<boolean> =>
    (await git(root, ['check-ignore', '-q', '.chipset/state/town.json'])).ok;
  if (await isIgnored()) return check('git', 'ignored', 'ok', '.chipset/ is ignored');
  if (fix === null) {
    return check('git', 'ignored', 'warn', '.chipset/ is not ignored: it shows as untracked', 'gastown doctor --fix');
  }
  fix();
  const isMended = await isIgnored();
  const text = isMended ? 'added .chipset/ to .gitignore' : '.chipset/ is still not ignored';
  return check('git', 'ignored', isMended ? 'ok' : 'warn', text, isMended ? '' : 'look into .gitignore', isMended);
}

/** Never removed by us: whoever holds it may live (field report 55). */
function lockChecks(gitDir: string, now: number): Check[] {
  const found = ['index.lock', 'config.lock', 'HEAD.lock', 'packed-refs.lock'].flatMap((name) => {
    const path = join(gitDir, name);
    if (!existsSync(path)) return [];
    const ageMs = now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
    return ageMs < staleLockMs ? [] : [`${path} (${formatAge(ageMs)} old)`];
  });
  if (found.length === 0) return [check('git', 'locks', 'ok', 'no lock of git is left behind')];
  return [
    check('git', 'locks', 'fail', `left behind: ${found.join(', ')}`, 'remove it when no git runs in this repository'),
  ];
}
