/** One command as data: the table of these is the parser, the help and the documentation. */
import type { Town } from '../town/context.ts';
import type { Io } from './io.ts';

export interface Command {
  /** `status`, or `bead add` for a word under a group. */
  name: string;
  /** Arguments in commander's notation: `<bead> [agent]`, `[words...]`. */
  args?: string;
  does: string;
  /** Flags in commander's notation, and what each does. */
  options?: readonly (readonly [flags: string, does: string])[];
  /** The code of a command is loaded when it runs: `status` never loads what `control` draws with. */
  run: Run;
  /** Takes its arguments as they are and parses them itself. */
  raw?: true;
  /** Works, and is left out of the help. */
  hidden?: true;
}

/** Answers the exit code; nothing means 0. Failures are thrown as GastownErrors. */
export type Run = (call: Call) => Promise<number | undefined>;

export interface Call {
  /** In the order of `args`; what was left out is undefined. */
  args: readonly (string | undefined)[];
  /** The words of the last `[words...]` argument. */
  rest: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  io: Io;
  /** The town one stands in; opened once. */
  town(): Promise<Town>;
}
