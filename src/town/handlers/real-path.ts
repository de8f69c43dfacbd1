/** Where a path really is, also of a file that is not there yet: a link in its folders leads elsewhere. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Absolute; `cwd` stands before a relative path. */
export function realPathOf(path: string, cwd: string): string {
  const whole = resolve(cwd, path);
  try {
    return realpathSync.native(whole);
  } catch {
    const folder = dirname(whole);
    return folder === whole ? whole : join(realPathOf(folder, '/'), basename(whole));
  }
}
