/** Sizes and keys of windows that exist: the layout's tree as tmux text, the control pane's lasting size, M-0 … M-9. */
import type { Layout } from '../domain/layout.ts';
import type { Reply, Tmux } from './driver.ts';
import type { Cell } from './layout-plan.ts';
import { layoutString, leavesOf } from './layout-string.ts';

/** `paneIds` are all panes of the window, in the window's order. */
export const arrangeWindow = (tmux: Tmux, windowId: string, cell: Cell, paneIds: readonly string[]): Promise<Reply> =>
  tmux.run(['select-layout', '-t', windowId, layoutString(cell, paneIds)]);

/**
 * tmux itself gives the control pane its size back after every resize, whether or not anything of gastown runs. Where
 * several cells lie beside it on the same axis, the hook evens them out as well.
 */
export async function keepControlSize(
  tmux: Tmux,
  layout: Layout,
  windowId: string,
  cell: Cell,
  paneIds: readonly string[],
): Promise<void> {
  const commands = resizeCommands(layout, cell, paneIds);
  if (commands.length === 0) {
    await tmux.run(['set-hook', '-u', '-w', '-t', windowId, 'window-resized']);
    return;
  }
  const reply = await tmux.run(['set-hook', '-w', '-t', windowId, 'window-resized', commands.join(' ; ')]);
  // tmux 3.2 knows no such hook; there the session tells of its clients' sizes.
  if (reply.kind === 'error') await tmux.run(['set-hook', '-t', windowId, 'client-resized', commands.join(' ; ')]);
}

function resizeCommands({ control: { side, size } }: Layout, cell: Cell, paneIds: readonly string[]): string[] {
  const control = paneIds[leavesOf(cell).indexOf('control')];
  if (side === 'none' || cell.kind === 'pane' || control === undefined) return [];
  const isWide = side === 'left' || side === 'right';
  const flag = isWide ? '-x' : '-y';
  const beside = cell.cells.filter((each) => each.kind === 'pane' && each.pane !== 'control').length;
  const agents = paneIds.filter((id) => id !== control).slice(0, beside);
  // What the control pane, its border, the borders between, and for heights the line of titles leave to share out.
  const taken = size + 1 + (agents.length - 1) + (isWide ? 0 : 1);
  const share = `#{e|/:#{e|-:#{${isWide ? 'window_width' : 'window_height'}},${taken}},${agents.length}}`;
  return [
    `resize-pane -t ${control} ${flag} ${size}`,
    // resize-pane reads no formats itself; run-shell -C does that for it.
    ...agents.slice(0, -1).map((id) => `run-shell -t ${id} -C 'resize-pane -t ${id} ${flag} "${share}"'`),
  ];
}

/** On the town's own server: M-0 goes to the control pane, M-1 … M-9 to the first nine agents, from anywhere. */
export async function bindAgentKeys(tmux: Tmux, controlPane: string, agentPanes: readonly string[]): Promise<void> {
  const targets = [controlPane, ...agentPanes.slice(0, 9)];
  await tmux.runAll(targets.map((pane, digit) => ['bind-key', '-n', `M-${digit}`, 'switch-client', '-Z', '-t', pane]));
}
