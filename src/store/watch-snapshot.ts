/** What the files of some folders looked like when they were last looked at: tells which of them changed since. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { isTempName, listNames } from './atomic-write.ts';

interface Look {
  mark: string;
  /**
   * What it held, when it had changed so recently that a further write could leave the same mark (coarse clock, reused
   * inode); null where the mark is enough.
   */
  content: string | null;
}

const recentMs = 50;
const contentLimitBytes = 65_536;

export class Snapshot {
  readonly #marks = new Map<string, string>();
  readonly #folders = new Map<string, Map<string, Look>>();

  /** Looks at one file (or, for null, at all of a folder); answers the paths that are new, changed or gone. */
  look(folder: string, name: string | null): string[] {
    const known = this.#folders.get(folder) ?? new Map<string, Look>();
    this.#folders.set(folder, known);
    const names = name === null ? new Set([...known.keys(), ...namesIn(folder)]) : [name];
    const changed: string[] = [];
    for (const each of names) {
      const path = `${folder}/${each}`;
      const stat = statOf(path);
      const before = known.get(each);
      if (stat === null || stat.isDirectory()) {
        if (known.delete(each)) changed.push(path);
        continue;
      }
      const mark = `${stat.ino}:${stat.mtimeMs}:${stat.size}`;
      if (before?.mark === mark && before.content === null) continue;
      const content = Date.now() - stat.mtimeMs < recentMs || before?.mark === mark ? contentOf(path) : null;
      if (before?.mark !== mark || before.content !== content) changed.push(path);
      const settled = Date.now() - stat.mtimeMs >= recentMs;
      known.set(each, { mark, content: settled ? null : content });
    }
    return changed;
  }

  /** Forgets folders that are not watched any more; their files are gone from the picture. */
  forgetOthers(wanted: ReadonlySet<string>): string[] {
    const gone: string[] = [];
    for (const [folder, files] of this.#folders) {
      if (wanted.has(folder)) continue;
      gone.push(...[...files.keys()].map((name) => `${folder}/${name}`));
      this.#folders.delete(folder);
      this.#marks.delete(folder);
    }
    return gone;
  }

  /** Whether entries of the folder came, went or were replaced since this was last asked; writes in place do not tell. */
  hasChanged(folder: string): boolean {
    const stat = statOf(folder);
    const mark = stat ? `${stat.ino}:${stat.mtimeMs}` : '';
    const before = this.#marks.get(folder);
    this.#marks.set(folder, mark);
    return before !== mark;
  }

  /** Null when there is no such folder. */
  inodeOf(folder: string): number | null {
    const stat = statOf(folder);
    return stat?.isDirectory() ? stat.ino : null;
  }
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** Empty for a large or unreadable file: those are told apart by their marks alone. */
function contentOf(path: string): string {
  try {
    return statSync(path).size > contentLimitBytes ? '' : readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** A folder that cannot be listed looks empty for now; the next re-scan looks again. */
function namesIn(folder: string): string[] {
  try {
    return listNames(folder).filter((name) => !isTempName(name));
  } catch {
    return [];
  }
}
