import type { Cell } from './layout-plan.ts';

/**
 * A tree of cells as tmux's own layout text, checksum first. tmux gives the panes of a window to the leaves in their
 * order, so `paneIds` must be in the window's order; ids only make the text readable.
 */
export function layoutString(root: Cell, paneIds: readonly string[]): string {
  let next = 0;
  const write = (cell: Cell, x: number, y: number): string => {
    const place = `${cell.width}x${cell.height},${x},${y}`;
    if (cell.kind === 'pane') return `${place},${(paneIds[next++] ?? '%0').slice(1)}`;
    let offset = 0;
    const cells = cell.cells.map((each) => {
      const text = cell.kind === 'row' ? write(each, x + offset, y) : write(each, x, y + offset);
      offset += (cell.kind === 'row' ? each.width : each.height) + 1;
      return text;
    });
    return cell.kind === 'row' ? `${place}{${cells.join(',')}}` : `${place}[${cells.join(',')}]`;
  };
  const text = write(root, 0, 0);
  return `${checksum(text)},${text}`;
}

/** Leaves in the order in which tmux fills them. */
export const leavesOf = (cell: Cell): ('control' | number)[] =>
  cell.kind === 'pane' ? [cell.pane] : cell.cells.flatMap(leavesOf);

/** tmux's 16-bit rotating sum, four hex digits. */
function checksum(text: string): string {
  let sum = 0;
  for (const byte of Buffer.from(text)) sum = ((sum >> 1) + ((sum & 1) << 15) + byte) & 0xffff;
  return sum.toString(16).padStart(4, '0');
}
