/** What a failure looks like: one line on stderr and an exit code; a stack only for `--debug`. */
import { GastownError, unreadable } from '../domain/errors.ts';
import { cleanLine } from '../domain/text.ts';
import type { Io } from './io.ts';

/** Prints the line and answers the exit code. */
export function reportFailure(error: unknown, io: Io, program: string, debug: boolean): number {
  const known = error instanceof GastownError ? error : ofSystem(error);
  const line = known?.line ?? `internal error: ${messageOf(error)}; rerun with --debug and report it`;
  io.err(`${program}: ${cleanLine(line)}\n`);
  if (debug && error instanceof Error) io.err(`${stacks(error)}\n`);
  return known?.exit ?? 1;
}

/** What the system refused, wherever: a full disk, a file where a folder should be. Null for anything else. */
function ofSystem(error: unknown): GastownError | null {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null;
  return unreadable(error.message, 'check the file, its folder and the disk', error);
}

const messageOf = (error: unknown): string => (error instanceof Error && error.message ? error.message : String(error));

const stacks = (error: Error): string =>
  error.cause instanceof Error ? `${error.stack}\ncaused by: ${stacks(error.cause)}` : String(error.stack);
