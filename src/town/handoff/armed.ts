/** Which trees hold a handoff, for headers and lists: tree and age only, never anything of its content. */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hookFile } from '../../domain/handoff.ts';
import { claimsIn, namesIn } from './claim.ts';

export interface ArmedHandoff {
  /** Absolute path. */
  tree: string;
  armed: boolean;
  /** Seconds since it was written; null when nothing is armed. */
  age_s: number | null;
}

/** The root, armed or not, and each worktree of it that holds an armed handoff. File reads only; no process. */
export function armedHandoffs(root: string, now: number): ArmedHandoff[] {
  const others = worktreesOf(root)
    .filter((tree) => tree !== root)
    .map((tree) => armedIn(tree, now))
    .filter(({ armed }) => armed);
  return [armedIn(root, now), ...others];
}

/** Armed: an entry of that name exists, whatever it is, or an interrupted dissolution left its claim. */
export function armedIn(tree: string, now: number): ArmedHandoff {
  const stat = armedPaths(tree).map((path) => lstatSync(path, { throwIfNoEntry: false }))[0];
  if (stat === undefined) return { tree, armed: false, age_s: null };
  return { tree, armed: true, age_s: Math.max(0, Math.floor((now - stat.mtimeMs) / 1000)) };
}

/** The handoff's path if it is there, then those of claims. */
export function armedPaths(tree: string): string[] {
  const hook = join(tree, hookFile);
  const claims = quietly(() => claimsIn(tree), []).map((name) => join(tree, name));
  return isThere(hook) ? [hook, ...claims] : claims;
}

const isThere = (path: string): boolean =>
  quietly(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined, false);

/** Worktrees that git has on record and those in the town's own folder, by real path. */
function worktreesOf(root: string): string[] {
  const records = join(root, '.git', 'worktrees');
  const linked = quietly(() => namesIn(records), []).flatMap((name) => {
    const dotGit = quietly(() => readFileSync(join(records, name, 'gitdir'), 'utf8').trim(), '');
    return dotGit === '' ? [] : [dirname(dotGit)];
  });
  const own = join(root, '.chipset', 'worktrees');
  const inTown = quietly(() => namesIn(own), []).map((name) => join(own, name));
  const real = [...linked, ...inTown].flatMap((path) => quietly(() => [realpathSync(path)], []));
  return [...new Set(real)].sort();
}

function quietly<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
