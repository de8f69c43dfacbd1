import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { refused } from '../domain/errors.ts';

/** The kernel's sun_path with its final zero: 108 bytes on Linux, 104 on macOS. */
const pathBytes = process.platform === 'linux' ? 107 : 103;

/**
 * Absolute path of the town's own tmux socket, in a 0700 folder `gastown-<uid>` of XDG_RUNTIME_DIR, else TMPDIR, else
 * the system's temp folder; the folder is made. Named after the real path of the town, so that every shell finds the
 * same one; whoever starts the town records it. Throws exit 3 for a folder that others could have prepared.
 */
export function townSocket(root: string, env: NodeJS.ProcessEnv = process.env): string {
  const name = `${townId(root)}.sock`;
  const bases = [env['XDG_RUNTIME_DIR'], env['TMPDIR'], tmpdir(), '/tmp'].filter(
    (base): base is string => base !== undefined && isAbsolute(base),
  );
  const tooLong: string[] = [];
  for (const base of bases) {
    const folder = join(base, `gastown-${process.getuid?.() ?? 0}`);
    const path = join(folder, name);
    if (Buffer.byteLength(path) > pathBytes) {
      tooLong.push(path);
      continue;
    }
    if (makeFolder(folder)) return path;
  }
  throw refused(
    tooLong[0]
      ? `no folder for the tmux socket: ${tooLong[0]} is longer than the ${pathBytes} bytes a socket path may have`
      : `no folder for the tmux socket could be made in ${bases.join(', ')}`,
    'set XDG_RUNTIME_DIR to a short folder of yours',
  );
}

/** Twelve hex digits of the town's real path; tells towns apart wherever they share something. */
export const townId = (root: string): string =>
  createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 12);

/** False where the base cannot hold a folder of ours (missing, read-only); throws where it is not ours alone. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  const stats = lstatSync(folder);
  const problem = !stats.isDirectory()
    ? 'is not a folder'
    : stats.uid !== process.getuid?.()
      ? 'belongs to another user'
      : (stats.mode & 0o077) !== 0
        ? `is open to others (mode ${(stats.mode & 0o777).toString(8)})`
        : null;
  if (problem)
    throw refused(`the folder of the tmux socket ${problem}: ${folder}`, `check it, then: chmod 700 ${folder}`);
  return true;
}
