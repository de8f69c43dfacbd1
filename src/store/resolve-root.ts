/**
 * Which town a folder belongs to: one answer from sub-directories, submodules, worktrees and symlinked paths (field
 * report 36). Pure file reads, no git process (this is on the path of every event), and nothing is ever created.
 */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { usage } from '../domain/errors.ts';

export interface Root {
  /** Real path of the town's folder. */
  root: string;
  /** `<root>/.chipset/state`; it need not exist. */
  stateDir: string;
  /** What told: `git` and `cwd` mean that no town is set up there yet. */
  via: 'env' | 'town' | 'config' | 'git' | 'cwd';
}

/**
 * First that holds: GT_STATE_DIR (agents in worktrees) → a folder above that has `.chipset/state/town.json` → one that
 * has `gastown.yaml` → the main worktree of the repository → `cwd`. A linked worktree counts as the same place in the
 * main one, a submodule as part of its superproject. The search never leaves the repository.
 */
export function resolveRoot({ cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> }): Root {
  const given = env['GT_STATE_DIR'];
  if (given) {
    if (!isAbsolute(given)) throw usage('GT_STATE_DIR is not an absolute path', 'unset it or give the full path');
    const folder = nearest(resolve(given));
    const stateDir = join(folder.real, folder.missing);
    return { root: resolve(stateDir, '..', '..'), stateDir, via: 'env' };
  }

  const start = outOfChipset(nearest(resolve(cwd)).real);
  const repository = findRepository(start);
  const within = repository?.inMain ?? start;
  const folders = upTo(within, repository?.main ?? null);
  const town = folders.find((folder) => existsSync(join(folder, '.chipset', 'state', 'town.json')));
  if (town !== undefined) return at(town, 'town');
  const configured = folders.find((folder) => existsSync(join(folder, 'gastown.yaml')));
  if (configured !== undefined) return at(configured, 'config');
  return repository ? at(repository.main, 'git') : at(start, 'cwd');
}

const at = (root: string, via: Root['via']): Root => ({ root, stateDir: join(root, '.chipset', 'state'), via });

/** The real path of the nearest folder at or above `path` that exists, and what is missing below it. */
function nearest(path: string): { real: string; missing: string } {
  for (let missing = '', folder = path; ; missing = join(basename(folder), missing), folder = dirname(folder)) {
    const found = real(folder);
    if (found !== null) return { real: found, missing };
    if (dirname(folder) === folder) return { real: path, missing: '' };
  }
}

/** Whatever lies in `.chipset` (an agent's worktree, say) belongs to the folder that holds it. */
function outOfChipset(folder: string): string {
  const index = `${folder}${sep}`.indexOf(`${sep}.chipset${sep}`);
  return index < 0 ? folder : folder.slice(0, index) || sep;
}

function upTo(from: string, last: string | null): string[] {
  const folders: string[] = [];
  for (let folder = from; ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === last || dirname(folder) === folder) return folders;
  }
}

/** `main`: the main worktree's top; `inMain`: the place there that corresponds to `start`. */
function findRepository(start: string): { main: string; inMain: string } | null {
  const top = upTo(start, null).find((folder) => existsSync(join(folder, '.git')));
  if (top === undefined) return null;
  const owner = ownerOf(top);
  if (owner === null) return { main: top, inMain: start };
  if (owner.of === 'worktree') return { main: owner.main, inMain: join(owner.main, relative(top, start)) };
  return { main: owner.main, inMain: start.startsWith(owner.main + sep) ? start : owner.main };
}

/** Whose `top` is: null when it is a main worktree itself, or when git's files do not tell. */
function ownerOf(top: string): { of: 'worktree' | 'submodule'; main: string } | null {
  const dotGit = join(top, '.git');
  if (statSync(dotGit, { throwIfNoEntry: false })?.isFile() !== true) return null;
  const gitDir = /^gitdir: (.+?)\s*$/.exec(readText(dotGit))?.[1];
  if (gitDir === undefined) return null;
  const ofTop = resolve(top, gitDir);
  const superproject = submodulePath.exec(ofTop)?.[1];
  const outer = superproject === undefined ? null : real(superproject);
  if (outer !== null) return { of: 'submodule', main: outer };
  const common = readText(join(ofTop, 'commondir')).trim();
  const commonDir = resolve(ofTop, common);
  // A bare repository has no main worktree: each of its worktrees stands for itself.
  if (common === '' || basename(commonDir) !== '.git') return null;
  const main = real(dirname(commonDir));
  return main === null ? null : { of: 'worktree', main };
}

/** A submodule of the main or of a linked worktree: …/.git/modules/<name>, …/.git/worktrees/<name>/modules/<name>. */
const submodulePath = /^(.+)[\\/]\.git[\\/](?:worktrees[\\/][^\\/]+[\\/])?modules[\\/]/;

function real(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
