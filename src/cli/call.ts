/** One command's words, as its code sees them. */
import type { Call } from './command.ts';
import type { Io } from './io.ts';

/** `blocking`: the command does nothing else while tmux answers. */
export function callOf(
  io: Io,
  args: Call['args'],
  rest: readonly string[],
  options: Readonly<Record<string, unknown>>,
  blocking = false,
): Call {
  let town: ReturnType<Call['town']> | undefined;
  return {
    args,
    rest,
    flag: (name) => options[name] === true,
    text: (name) => (typeof options[name] === 'string' ? options[name] : undefined),
    io,
    town: () => {
      town ??= import('../town/context.ts').then((context) => context.openTown({ cwd: io.cwd, env: io.env, blocking }));
      return town;
    },
  };
}
