/** Opening a handoff without being led elsewhere, blocked or flooded (seed 002, hook file safety). */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { handoffLimitBytes } from '../../domain/handoff.ts';
import { errnoOf, GateRefusal } from './refusal.ts';

export interface OpenedHandoff {
  bytes: Buffer;
  /** Lower-case hex SHA-256 of exactly these bytes. */
  sha256: string;
}

/**
 * The bytes of `path`, which must be a regular file with one name and 1 byte to 1 MiB. Throws a refusal otherwise;
 * `not_armed` when there is no such entry. The size is checked before the first byte is read.
 */
export function openHandoff(path: string): OpenedHandoff {
  const before = look(path);
  const fd = openQuickly(path);
  try {
    const now = fstatSync(fd);
    if (now.dev !== before.dev || now.ino !== before.ino) throw new GateRefusal('changed');
    checkKind(now);
    // Removed since it was opened: another caller has just completed its dissolution.
    if (now.nlink === 0) throw new GateRefusal('changed');
    if (now.nlink !== 1) throw new GateRefusal('linked');
    if (now.size === 0) throw new GateRefusal('empty');
    if (now.size > handoffLimitBytes) throw new GateRefusal('too_large');
    const bytes = readWhole(fd, now.size);
    return { bytes, sha256: hashOf(bytes) };
  } finally {
    closeSync(fd);
  }
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Hash of a regular file of at most 1 MiB, whatever its link count; null for anything else. Never follows a link. */
export function hashFile(path: string): string | null {
  try {
    const fd = openQuickly(path);
    try {
      const stat = fstatSync(fd);
      return stat.isFile() && stat.size <= handoffLimitBytes ? hashOf(readWhole(fd, stat.size)) : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

function look(path: string): Stats {
  try {
    const stat = lstatSync(path);
    checkKind(stat);
    return stat;
  } catch (error) {
    if (error instanceof GateRefusal) throw error;
    throw new GateRefusal(errnoOf(error) === 'ENOENT' ? 'not_armed' : 'unreadable');
  }
}

function checkKind(stat: Stats): void {
  if (stat.isSymbolicLink()) throw new GateRefusal('symlink');
  if (!stat.isFile()) throw new GateRefusal('not_regular');
}

/** O_NONBLOCK: a FIFO opens at once instead of waiting for a writer. */
function openQuickly(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ELOOP' || errno === 'EMLINK') throw new GateRefusal('symlink');
    if (errno === 'ENXIO') throw new GateRefusal('not_regular');
    throw new GateRefusal(errno === 'ENOENT' ? 'changed' : 'unreadable');
  }
}

/** Exactly `size` bytes; a file that grew or shrank meanwhile is refused. */
function readWhole(fd: number, size: number): Buffer {
  const buffer = Buffer.alloc(size + 1);
  let length = 0;
  for (;;) {
    const got = readSync(fd, buffer, length, buffer.length - length, null);
    length += got;
    if (got === 0 || length > size) break;
  }
  if (length !== size) throw new GateRefusal('changed');
  return buffer.subarray(0, size);
}

/** Null for bytes that are no UTF-8 or hold a NUL. A byte order mark stays: the first line then declares nothing. */
export function strictText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
