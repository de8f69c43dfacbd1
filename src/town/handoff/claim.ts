/**
 * Claims: the handoff under another name while its dissolution is completed, and copies on their way into `cycles/`.
 * Both carry the claimer's pid and time, so that what a killed run left behind is told from what a live one holds.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { hookFile } from '../../domain/handoff.ts';
import { errnoOf } from './refusal.ts';

const claimPrefix = `.${hookFile.replace(/\.md$/, '')}.claim-`;
const partialPrefix = '.partial-';

/** A live run holds a claim for milliseconds; after this many seconds it counts as abandoned, whatever its pid says. */
const abandonedAfterS = 60;

const suffix = (now: number): string => `${process.pid}-${Math.floor(now / 1000)}-${randomBytes(8).toString('hex')}`;

export const newClaimName = (now: number): string => claimPrefix + suffix(now);
export const newPartialName = (now: number): string => partialPrefix + suffix(now);

/** Names of claims in the tree, oldest name first. */
export const claimsIn = (tree: string): string[] => namesIn(tree).filter((name) => name.startsWith(claimPrefix));
export const partialsIn = (folder: string): string[] =>
  namesIn(folder).filter((name) => name.startsWith(partialPrefix));

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/** True while the run that made this name may still be at work. */
export function isHeld(name: string, now: number): boolean {
  const match = /-(\d{1,10})-(\d{1,12})-[0-9a-f]+$/.exec(name);
  if (match === null) return false;
  if (Math.abs(now / 1000 - Number(match[2])) > abandonedAfterS) return false;
  try {
    process.kill(Number(match[1]), 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

export type PutBack = 'restored' | 'occupied' | 'gone';

/** Gives a claim its name back, never over a handoff that appeared meanwhile; then both stay. */
export function putBack(tree: string, claim: string): PutBack {
  const [from, to] = [join(tree, claim), join(tree, hookFile)];
  try {
    linkSync(from, to);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return 'gone';
    if (errno === 'EEXIST') {
      if (!isSameEntry(from, to)) return 'occupied';
    } else if (!putBackWithoutLinks(from, to)) return 'occupied';
  }
  removeIfThere(from);
  syncFolder(tree);
  return 'restored';
}

/** A folder cannot be linked, and some disks know no links. */
function putBackWithoutLinks(from: string, to: string): boolean {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
  if (lstatSync(from, { throwIfNoEntry: false })?.isFile() !== true) {
    renameSync(from, to);
    return true;
  }
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function isSameEntry(a: string, b: string): boolean {
  const [left, right] = [a, b].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  return left !== undefined && right !== undefined && left.ino === right.ino && left.dev === right.dev;
}

export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Makes the names in a folder durable. Some file systems cannot; then the rename itself has to do. */
export function syncFolder(folder: string): void {
  let fd: number | null = null;
  try {
    fd = openSync(folder, constants.O_RDONLY);
    fsyncSync(fd);
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM', 'EACCES', 'EBADF'].includes(errnoOf(error) ?? '')) throw error;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
