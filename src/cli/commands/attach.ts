import { attach as attachTown } from '../../town/attach.ts';
import { openTown } from '../../town/context.ts';
import type { Call } from '../command.ts';
import { requireTerminal } from '../terminal.ts';

/** Answers when the operator leaves: 0 when the town goes on or was taken down, 3 when its tmux server died. */
export async function attach(call: Call): Promise<number> {
  const { io } = call;
  requireTerminal(io, 'gastown', 'to look without one: gastown status');
  // Opened anew: `up` may just have recorded it.
  const town = await openTown({ cwd: io.cwd, env: io.env });
  const left = await attachTown(town, () => io.err('attaching inside another tmux; the prefix of the town is C-g\n'));
  if (left.kind === 'detached') io.out('the town goes on; gastown shows it again, gastown down ends it\n');
  if (left.kind === 'down') io.out('the town is down\n');
  if (left.kind !== 'server-gone') return 0;
  io.err('gastown: the tmux server of the town is gone; gastown up starts its agents again, each on its work\n');
  for (const line of left.lost) io.err(`  ${line}\n`);
  return 3;
}
