/** What a session is shown of an armed handoff at its start. Reads only: injecting never consumes and can be repeated. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { injectionReadBytes, injectionReminder, injectionText } from '../../domain/handoff-text.ts';
import { armedPaths } from './armed.ts';
import { errnoOf } from './refusal.ts';
import { strictText } from './safe-open.ts';

const keepers = new Set(['crew', 'mayor', 'human']);

/**
 * Text for the session's context, or null for nothing: no handoff is armed, or it is not this role's. `role` null is a
 * session outside of the town; `subagent` never gets any; other workers only what waits in a worktree of their own
 * (decision 15). `source` as Claude Code names it; `command` is how this reader dissolves.
 */
export function handoffInjection(
  tree: string,
  role: string | null,
  source: string,
  now: number,
  command = 'gt dissolve',
): string | null {
  if (!isHandoffFor(tree, role)) return null;
  const path = armedPaths(tree)[0];
  if (path === undefined) return null;
  if (source === 'compact') return injectionReminder(command);
  const beginning = readBeginning(path);
  // It was dissolved, or claimed, between the two looks: what is there now decides.
  if (beginning === 'gone') return handoffInjection(tree, role, source, now, command);
  const ageMs = beginning === null ? 0 : now - beginning.mtimeMs;
  return injectionText({ text: beginning?.text ?? null, cut: beginning?.cut ?? false, ageMs, command });
}

/** Whether a handoff in `tree` is this role's business at all (decision 15). */
export const isHandoffFor = (tree: string, role: string | null): boolean =>
  role !== 'subagent' && (role === null || keepers.has(role) || isLinkedWorktree(tree));

const isLinkedWorktree = (tree: string): boolean =>
  lstatSync(join(tree, '.git'), { throwIfNoEntry: false })?.isFile() === true;

interface Beginning {
  text: string | null;
  cut: boolean;
  mtimeMs: number;
}

/** At most the bytes that injecting can use, of a regular file; null for anything else. */
function readBeginning(path: string): Beginning | null | 'gone' {
  let fd: number | null = null;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile()) return null;
    const buffer = Buffer.alloc(injectionReadBytes);
    const length = readSync(fd, buffer, 0, buffer.length, 0);
    const cut = stat.size > length;
    const bytes = buffer.subarray(0, cut ? lastWhole(buffer, length) : length);
    return { text: strictText(bytes), cut, mtimeMs: stat.mtimeMs };
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'gone' : null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** Where the last character that begins before `length` starts, so that a cut never splits one. */
function lastWhole(buffer: Buffer, length: number): number {
  let end = length;
  for (let back = 0; back < 4 && end > 0; back += 1) {
    end -= 1;
    if (((buffer[end] ?? 0) & 0xc0) !== 0x80) return end;
  }
  return length;
}
