/** `status --watch`: the same table again whenever it changed. Each frame is one write; a failed look keeps the last. */
import { toLine } from '../../domain/json.ts';
import { openTown } from '../../town/context.ts';
import { readStatus } from '../../town/status.ts';
import type { Call } from '../command.ts';
import { statusLines } from '../status-lines.ts';

const intervalMs = 2_000;

/** Until interrupted. Not on a terminal, or with --json, frames follow each other and only changed ones are printed. */
export async function watchStatus(call: Call): Promise<undefined> {
  const { io } = call;
  let shown = '';
  for (;;) {
    const frame = await frameOf(call);
    if (frame !== shown) {
      io.out(io.isTerminal && !call.flag('json') ? `\u001b[H${frame.replaceAll('\n', '\u001b[K\n')}\u001b[J` : frame);
      shown = frame;
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}

/** The town is opened anew: it may have come up, gone down, or been configured in between. */
async function frameOf(call: Call): Promise<string> {
  const town = await openTown({ cwd: call.io.cwd, env: call.io.env });
  const status = await readStatus(town);
  if (call.flag('json')) return `${toLine(status)}\n`;
  return `${statusLines(status, town.clock(), call.io.color).join('\n')}\n`;
}
