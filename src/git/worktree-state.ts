/** What would be lost with a tree: uncommitted, unpushed, stashed, unfinished. Reading takes no lock and changes nothing. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { git, gitOrRefuse } from './git.ts';
import { listWorktrees, realIfThere } from './worktree-list.ts';

export interface WorktreeState {
  /** Changed, staged or conflicting paths, submodules with other commits among them. */
  modified: string[];
  untracked: string[];
  /** Submodules with changes, commits or stashes of their own that are nowhere else. */
  inSubmodules: string[];
  /** Ignored single files, `.env` and the like; what tools make again is left out. */
  ignored: string[];
  /** Commits that are neither on a remote nor merged into a branch that is not an agent's. */
  unpushed: number;
  /** Stashes made on this tree's branch. */
  stashes: number;
  /** Null when detached. */
  branch: string | null;
  head: string | null;
  /** Git's reason, or null. */
  locked: string | null;
  /** `rebase`, `merge`, … that was begun and not ended; null otherwise. */
  unfinished: string | null;
}

/** `path` is the top of a worktree (or of the main checkout). Throws exit 3 when git does not answer: never "clean". */
export async function worktreeState(path: string): Promise<WorktreeState> {
  const what = `cannot read the state of ${path}`;
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignored=traditional'];
  const status = parseStatus(await gitOrRefuse(path, [...args, '--ignore-submodules=none'], what));
  const [unpushed, stashes, unfinished, inSubmodules, all] = await Promise.all([
    status.head === null ? 0 : countUnpushed(path, status.branch, what),
    countStashes(path, status.branch, what),
    unfinishedIn(path, what),
    dirtySubmodules(path, what),
    listWorktrees(path),
  ]);
  const real = realIfThere(path);
  const dirty = new Set([...status.inSubmodules, ...inSubmodules]);
  return {
    ...status,
    inSubmodules: [...dirty].sort(),
    unpushed,
    stashes,
    unfinished,
    locked: all.find((one) => one.path === real)?.locked ?? null,
  };
}

/**
 * What `gt done` tells of `cwd`: null outside a repository. `uncommitted` counts changed and untracked paths.
 */
export async function uncommittedSummary(
  cwd: string,
): Promise<{ uncommitted: number; unpushed: number; branch: string | null } | null> {
  const top = await git(cwd, ['rev-parse', '--show-toplevel']);
  if (!top.ok) return null;
  const what = `cannot read the state of ${cwd}`;
  const status = parseStatus(
    await gitOrRefuse(top.out, ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=none'], what),
  );
  return {
    uncommitted: status.modified.length + status.untracked.length + status.inSubmodules.length,
    unpushed: status.head === null ? 0 : await countUnpushed(top.out, status.branch, what),
    branch: status.branch,
  };
}

type Status = Pick<WorktreeState, 'modified' | 'untracked' | 'inSubmodules' | 'ignored' | 'branch' | 'head'>;

/** `git status --porcelain=v2 -z`: one record a path; a rename has its old path in the next one. */
function parseStatus(out: string): Status {
  const status: Status = { modified: [], untracked: [], inSubmodules: [], ignored: [], branch: null, head: null };
  const records = out.split('\0');
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index] ?? '';
    const kind = record[0];
    if (record.startsWith('# branch.oid '))
      status.head = /^[0-9a-f]+$/.test(record.slice(13)) ? record.slice(13) : null;
    else if (record.startsWith('# branch.head '))
      status.branch = record.slice(14) === '(detached)' ? null : record.slice(14);
    else if (kind === '?') status.untracked.push(record.slice(2));
    else if (kind === '!') addIgnored(status.ignored, record.slice(2));
    else if (kind === '1' || kind === '2' || kind === 'u') {
      const fields = record.split(' ');
      const path = fields.slice(kind === '1' ? 8 : kind === '2' ? 9 : 10).join(' ');
      const [, inside] = /^S.(..)$/.exec(fields[2] ?? '') ?? [];
      const onlyInside = inside !== undefined && inside !== '..' && fields[1]?.[0] === '.' && fields[2]?.[1] === '.';
      if (onlyInside) status.inSubmodules.push(path);
      else status.modified.push(path);
      if (kind === '2') index += 1;
    }
  }
  return status;
}

const madeAgain = /(^|\/)(\.DS_Store|Thumbs\.db|\.eslintcache|[^/]*\.(log|pyc|pyo|o|class|tsbuildinfo|swp|tmp))$/;

/** A folder that is ignored as a whole is a tool's (dependencies, build output); a single file may be somebody's. */
function addIgnored(ignored: string[], path: string): void {
  if (!path.endsWith('/') && !madeAgain.test(path)) ignored.push(path);
}

/** The current branch and other agents' are no proof that commits are kept elsewhere. */
async function countUnpushed(path: string, branch: string | null, what: string): Promise<number> {
  const others = ['gastown/*', 'polecat/*', ...(branch === null ? [] : [escapeGlob(branch)])];
  const excluded = others.map((pattern) => `--exclude=${pattern}`);
  const args = ['rev-list', '--count', 'HEAD', '--not', '--remotes', ...excluded, '--branches'];
  return Number(await gitOrRefuse(path, args, what));
}

const escapeGlob = (name: string): string => name.replace(/[*?[\\]/g, '\\$&');

/** Stashes are shared by all worktrees; each names the branch it was made on. */
async function countStashes(path: string, branch: string | null, what: string): Promise<number> {
  const out = await gitOrRefuse(path, ['stash', 'list', '--format=%gs'], what);
  const on = branch ?? '(no branch)';
  return out.split('\n').filter((line) => line.startsWith(`WIP on ${on}: `) || line.startsWith(`On ${on}: `)).length;
}

const unfinishedFiles = {
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  BISECT_LOG: 'a bisect',
};

async function unfinishedIn(path: string, what: string): Promise<string | null> {
  const gitDir = await gitOrRefuse(path, ['rev-parse', '--absolute-git-dir'], what);
  return Object.entries(unfinishedFiles).find(([file]) => existsSync(join(gitDir, file)))?.[1] ?? null;
}

/** A linked worktree's submodules live inside its own git folder: their commits and stashes would go with it. */
async function dirtySubmodules(path: string, what: string): Promise<string[]> {
  if (statSync(join(path, '.gitmodules'), { throwIfNoEntry: false }) === undefined) return [];
  const list = await gitOrRefuse(path, ['submodule', 'status', '--recursive'], what);
  const names = list.split('\n').flatMap((line) => /^[ +U][0-9a-f]+ (.+?)(?: \(.*\))?$/.exec(line)?.[1] ?? []);
  const kept = await Promise.all(
    names.map(async (name) => {
      const inside = join(path, name);
      const only = await gitOrRefuse(inside, ['rev-list', '--count', '--branches', 'HEAD', '--not', '--remotes'], what);
      const stashes = await gitOrRefuse(inside, ['stash', 'list'], what);
      return only === '0' && stashes === '' ? [] : [name];
    }),
  );
  return kept.flat();
}
