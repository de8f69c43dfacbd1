/** Looking a program up on PATH, and learning its version in the background. Neither ever blocks a start. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Absolute path of the first executable file called `command` on `path`; null when there is none. A command with a slash
 * is taken as it is, against `cwd`. Relative and empty parts of PATH are skipped: they would depend on where one stands.
 */
export async function findBinary(command: string, path: string, cwd: string): Promise<string | null> {
  if (command.includes('/')) {
    const file = isAbsolute(command) ? command : join(cwd, command);
    return (await isProgram(file)) ? file : null;
  }
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, command);
    if (await isProgram(file)) return file;
  }
  return null;
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Milliseconds: some CLIs need ten seconds for `--version` on a loaded machine. */
const versionLimitMs = 30_000;

/** The version a program tells of itself, like `2.1.332`; null when it tells none in time. For `doctor`, never at start. */
export function versionOf(program: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: versionLimitMs, maxBuffer: 65_536 }, (error, stdout, stderr) => {
      const found = /\d+\.\d+(?:\.\d+)?(?:-[A-Za-z0-9.]+)?/.exec(`${stdout}\n${stderr}`);
      resolve(error === null ? (found?.[0] ?? null) : null);
    });
  });
}
