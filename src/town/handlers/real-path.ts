/** Where a path really is, also of a file that is not there yet: a link in its folders leads elsewhere. */
import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** More links than that lead nowhere: the system gives up, too. */
const mostLinks = 40;

/** Absolute; `cwd` stands before a relative path. A link whose target is not there is followed: writing makes the target. */
export function realPathOf(path: string, cwd: string, links = mostLinks): string {
  const whole = resolve(cwd, path);
  try {
    return realpathSync.native(whole);
  } catch {
    const folder = dirname(whole);
    if (folder === whole) return whole;
    const place = realPathOf(folder, '/', links);
    const target = links > 0 ? targetOf(whole) : null;
    return target === null ? join(place, basename(whole)) : realPathOf(target, place, links - 1);
  }
}

/** Where the file's own name is, whatever it links to: what removes or replaces it acts there. */
export const namedPathOf = (path: string, cwd: string): string => {
  const whole = resolve(cwd, path);
  return join(realPathOf(dirname(whole), '/'), basename(whole));
};

function targetOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
