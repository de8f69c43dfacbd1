/** Records as they were last parsed, for as long as their files are the same. Only reading uses it, never a change. */
import type { Stats } from 'node:fs';

interface Cached {
  ino: number;
  mtimeMs: number;
  size: number;
  schema: unknown;
  read: unknown;
}

interface Key {
  path: string;
  schema: object;
}

const cache = new Map<string, Cached>();
const limit = 20_000;

/** A file that changed just now could change again without a trace: coarse clocks tick every few milliseconds. */
const settledMs = 50;

/** What `remember` was given, when the file is still that one; null otherwise. */
export function recall<R>({ path, schema }: Key, stat: Stats): R | null {
  const known = cache.get(path);
  if (known?.ino !== stat.ino || known.mtimeMs !== stat.mtimeMs || known.size !== stat.size) return null;
  return known.schema === schema ? (known.read as R) : null;
}

/** `stat` was taken before the file was read. Answers `read`. */
export function remember<R>({ path, schema }: Key, stat: Stats, read: R): R {
  if (Date.now() - stat.mtimeMs < settledMs) {
    cache.delete(path);
    return read;
  }
  if (cache.size >= limit) cache.clear();
  cache.set(path, { ino: stat.ino, mtimeMs: stat.mtimeMs, size: stat.size, schema, read });
  return read;
}

/** Shared values must not be changed in place; doing so throws. */
export function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
