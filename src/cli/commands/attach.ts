import { attach as attachTown } from '../../town/attach.ts';
import { openTown } from '../../town/context.ts';
import { lostText } from '../../town/lost.ts';
import type { Call } from '../command.ts';
import { oneKey } from '../one-key.ts';
import { requireTerminal } from '../terminal.ts';

/** A server that dies so often within so long is not brought back by one key any more. */
const deaths = { most: 2, withinMs: 300_000 };

/** Answers when the operator leaves: 0 when the town goes on or was taken down, 3 when its tmux server died and stays dead. */
export async function attach(call: Call): Promise<number> {
  const { io } = call;
  requireTerminal(io, 'gastown', 'to look without one: gastown status');
  const diedAt: number[] = [];
  for (;;) {
    // Opened anew: `up` may just have recorded it.
    const town = await openTown({ cwd: io.cwd, env: io.env });
    const left = await attachTown(town, () => io.err('attaching inside another tmux; the prefix of the town is C-g\n'));
    if (left.kind === 'detached') io.out('the town goes on; gastown shows it again, gastown down ends it\n');
    if (left.kind === 'down') io.out('the town is down\n');
    if (left.kind !== 'server-gone') return 0;
    io.err('gastown: the tmux server of the town is gone; hooks, beads, worktrees and sessions are kept. It ran:\n');
    for (const one of left.lost) io.err(`  ${lostText(one)}\n`);
    const now = performance.now();
    diedAt.push(now);
    const often = diedAt.filter((at) => now - at < deaths.withinMs).length;
    if (often > deaths.most) {
      io.err(`it died ${often} times within minutes: find out why (gastown doctor), then gastown up --resume\n`);
      return 3;
    }
    io.err('r resumes all of them, some at a time; any other key leaves (later: gastown up --resume)\n');
    const key = await oneKey();
    if (key !== 'r' && key !== 'R') return 3;
    const { up } = await import('../../town/up.ts');
    const step = (line: string): void => io.err(`  ${line}\n`);
    const report = await up(await openTown({ cwd: io.cwd, env: io.env }), { resume: { onStep: step } });
    for (const { agent_id, did, detail } of report.agents) if (did === 'failed') step(`${agent_id}: ${detail}`);
  }
}
