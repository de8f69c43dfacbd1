import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The root process of an agent's pane: `gt-run EXIT_FILE PROGRAM [ARG…]`. The program is its child in the foreground of
 * the pane, so it can be stopped and continued, which tmux undoes at once for a pane's root, and its exit code is
 * recorded, which tmux 3.3a often loses. Keys such as ctrl-C reach both; only the program acts on them.
 */
const script = `#!/bin/sh
# gt-run EXIT_FILE PROGRAM [ARG...]: runs PROGRAM in this pane and records how it ended.
exit_file=$1
shift
# A trap with a command, unlike an ignored signal, is not inherited by the program. A hang-up must end this shell: only
# the end of its session's leader makes the kernel hang up on the program, too.
trap : INT QUIT TERM
"$@"
code=$?
umask 077
printf '%s\\n' "$code" >"$exit_file.$$" && mv -f "$exit_file.$$" "$exit_file"
exit "$code"
`;

/** Writes `gt-run` into the town's bin folder; whoever runs the old one keeps it. */
export function writeRunner(binDir: string): void {
  mkdirSync(binDir, { recursive: true, mode: 0o700 });
  const path = join(binDir, 'gt-run');
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, script, { mode: 0o755 });
  chmodSync(fresh, 0o755);
  renameSync(fresh, path);
}

/** The argv of a pane. `exitFile` belongs to this one run: an older run may still write its own later. */
export const runnerArgv = (binDir: string, exitFile: string, argv: readonly string[]): string[] => [
  '/bin/sh',
  join(binDir, 'gt-run'),
  exitFile,
  ...argv,
];

/** The recorded exit code, 128 + n for a death by signal n; null when nothing was recorded. */
export function readExit(exitFile: string): number | null {
  try {
    const text = readFileSync(exitFile, 'utf8').trim();
    return /^\d{1,3}$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}
