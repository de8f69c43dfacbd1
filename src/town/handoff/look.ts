/** `handoff show` and `handoff lint`: reading without changing, in the tree one stands in. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { refused, unreadable } from '../../domain/errors.ts';
import { archiveFolder, handoffLimitBytes, hookFile } from '../../domain/handoff.ts';
import { type HandoffFinding, lintHandoff } from '../../domain/handoff-lint.ts';
import { refusalText } from '../../domain/handoff-refusal.ts';
import { highestArchived } from './archive.ts';
import { armedIn } from './armed.ts';
import { readHandoff } from './read.ts';
import { errnoOf, GateRefusal } from './refusal.ts';
import { strictText } from './safe-open.ts';
import type { Environment } from './session-binding.ts';
import { findTree } from './tree.ts';

/** The tree of `cwd`; exit 3 where it cannot be told. */
export function treeOf(cwd: string, env: Environment): string {
  try {
    return findTree(cwd, env['PATH']);
  } catch (error) {
    if (error instanceof GateRefusal) throw refused(refusalText({ reason: error.reason }));
    throw error;
  }
}

export interface Shown {
  tree: string;
  age_s: number | null;
  lines: string[];
}

/** The armed handoff with hidden characters made visible. Exit 3 when none is armed, 4 when it cannot be read. */
export function showHandoff(tree: string, now: number): Shown {
  const { armed, age_s } = armedIn(tree, now);
  if (!armed) throw refused(refusalText({ reason: 'not_armed' }));
  const shown = readHandoff(tree, now);
  if (shown.kind === 'refused') throw unreadable(shown.message);
  return { tree, age_s, lines: shown.lines };
}

/** Findings for `file`, or for the tree's own handoff. Exit 3 when it is missing, 4 when it is no regular file. */
export function lintFile(tree: string, file: string | null): HandoffFinding[] {
  const path = file ?? join(tree, hookFile);
  const bytes = readAtMost(path, handoffLimitBytes + 1);
  const text = bytes.length > handoffLimitBytes ? null : strictText(bytes);
  return lintHandoff(bytes, text, highestArchived(join(tree, archiveFolder)));
}

function readAtMost(path: string, limitBytes: number): Buffer {
  let fd: number | null = null;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw unreadable(`${path} is not a regular file`, 'a handoff is a text file');
    const buffer = Buffer.alloc(Math.min(stat.size, limitBytes));
    for (let done = 0; done < buffer.length; ) {
      const got = readSync(fd, buffer, done, buffer.length - done, done);
      if (got === 0) return buffer.subarray(0, done);
      done += got;
    }
    return buffer;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw refused(`there is no ${path}`, 'gastown handoff write makes one');
    if (errnoOf(error) === 'ELOOP') throw unreadable(`${path} is a symbolic link`, 'a handoff is a regular file');
    if (errnoOf(error) === undefined) throw error;
    throw unreadable(`${path} cannot be read (${errnoOf(error)})`, 'check its permissions', error);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
