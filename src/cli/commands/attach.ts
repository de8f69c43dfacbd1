import { attach as attachTown } from '../../town/attach.ts';
import { openTown } from '../../town/context.ts';
import type { Call } from '../command.ts';
import { requireTerminal } from '../terminal.ts';

/** Opens the town anew: `up` may just have recorded it. */
export async function attach(call: Call): Promise<number | undefined> {
  requireTerminal(call.io, 'gastown', 'to look without one: gastown status');
  await attachTown(await openTown({ cwd: call.io.cwd, env: call.io.env }));
  return 0;
}
