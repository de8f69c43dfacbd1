import { openControl } from '../../town/control.ts';
import { preloadControlPane, startControlPane } from '../../tui/start.tsx';
import type { Call } from '../command.ts';
import { requireTerminal } from '../terminal.ts';

/** Until the town is taken down from here or the terminal goes away. */
export async function control(call: Call): Promise<number> {
  const { io } = call;
  requireTerminal(io, 'gastown control', 'to look without one: gastown status');
  preloadControlPane({ ...io.env });
  const { feed, actions, close } = await openControl(io.cwd, io.env);
  const { stdin, stdout } = process;
  return startControlPane({ feed, actions, env: { ...io.env }, stdin, stdout, onExit: close });
}
