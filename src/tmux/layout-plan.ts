/**
 * Where panes go: pure geometry. A window's panes form a tree of rows and columns whose sizes add up to the window; no
 * agent's pane is smaller than the layout's minimum, whatever does not fit goes into the next window (field report 16).
 */
import type { Layout } from '../domain/layout.ts';

export interface Size {
  width: number;
  height: number;
}

/** `row`: cells side by side; `column`: one above the other. A pane is the control pane or the n-th of the window's agents. */
export type Cell = Size & ({ kind: 'pane'; pane: 'control' | number } | { kind: 'row' | 'column'; cells: Cell[] });

export interface WindowPlan {
  hasControl: boolean;
  /** How many agents this window takes. */
  agents: number;
}

/** The windows for `count` agents, the control pane's first. A screen of any size has a plan. */
export function planWindows(layout: Layout, size: Size, count: number): WindowPlan[] {
  const beside = Math.min(capacity(layout, size, true), count);
  const windows: WindowPlan[] = [{ hasControl: true, agents: beside }];
  const each = capacity(layout, size, false);
  for (let left = count - beside; left > 0; left -= each) {
    windows.push({ hasControl: false, agents: Math.min(each, left) });
  }
  return windows;
}

/** Agents that fit into one window: 0 or more beside the control pane, at least 1 in a window of their own. */
export function capacity(layout: Layout, size: Size, hasControl: boolean): number {
  const { arrange, min_width, min_height, per_window } = layout.agents;
  if (arrange === 'windows') return hasControl ? 0 : 1;
  const area = agentArea(layout, size, hasControl);
  const columns = howMany(area.width, min_width);
  const rows = howMany(area.height, min_height);
  const most = per_window ?? Number.POSITIVE_INFINITY;
  const room =
    arrange === 'grid'
      ? columns * rows
      : arrange === 'columns'
        ? columns * Math.min(rows, 1)
        : rows * Math.min(columns, 1);
  return Math.max(hasControl ? 0 : 1, Math.min(room, most));
}

/** The tree of one window; every agent that was planned for it is in it. */
export function planWindow(layout: Layout, size: Size, plan: WindowPlan): Cell {
  const inner = innerSize(size);
  const control: Cell = { kind: 'pane', pane: 'control', ...inner };
  if (plan.agents === 0) return withTitleRow(control);
  const area = agentArea(layout, size, plan.hasControl);
  const isStacked = plan.hasControl && (layout.control.side === 'top' || layout.control.side === 'bottom');
  const agents = arrangeAgents(layout, area, plan.agents, isStacked);
  if (!plan.hasControl) return withTitleRow(agents);
  const fixed = Math.max(1, isStacked ? inner.height - area.height - 1 : inner.width - area.width - 1);
  const held: Cell = isStacked ? { ...control, height: fixed } : { ...control, width: fixed };
  const kind = isStacked ? 'column' : 'row';
  const isFirst = layout.control.side === 'left' || layout.control.side === 'top';
  const others = agents.kind === kind ? agents.cells : [agents];
  return withTitleRow({ kind, ...inner, cells: isFirst ? [held, ...others] : [...others, held] });
}

/** Each window gives its top line to the titles of its upper panes; the others show theirs on the line between. */
const innerSize = ({ width, height }: Size): Size => ({ width: Math.max(1, width), height: Math.max(1, height - 1) });

function withTitleRow(cell: Cell): Cell {
  const height = cell.height + 1;
  if (cell.kind === 'pane') return { ...cell, height };
  const [first, ...rest] = cell.cells;
  if (cell.kind === 'row') return { ...cell, height, cells: cell.cells.map(withTitleRow) };
  return { ...cell, height, cells: first ? [withTitleRow(first), ...rest] : [] };
}

function agentArea(layout: Layout, size: Size, hasControl: boolean): Size {
  const { width, height } = innerSize(size);
  if (!hasControl) return { width, height };
  const taken = layout.control.size + 1;
  switch (layout.control.side) {
    case 'left':
    case 'right':
      return { width: Math.max(0, width - taken), height };
    case 'top':
    case 'bottom':
      return { width, height: Math.max(0, height - taken) };
    case 'none':
      return { width: 0, height: 0 };
  }
}

/** How many cells of at least `least` fit beside each other, with a line between. */
const howMany = (whole: number, least: number): number => Math.floor((whole + 1) / (least + 1));

/**
 * The control pane's axis decides the direction of the outer cells: tmux hands a change of width to the cells beside it,
 * and one cell that holds all agents spreads it evenly.
 */
function arrangeAgents(layout: Layout, area: Size, count: number, columnsFirst: boolean): Cell {
  const columns = columnCount(layout, area, count);
  const rows = Math.ceil(count / columns);
  const outer = columnsFirst ? columns : rows;
  let next = 0;
  const lines = spread(columnsFirst ? area.width : area.height, outer).map((extent, index): Cell => {
    const inLine = Math.floor(count / outer) + (index < count % outer ? 1 : 0);
    const size = columnsFirst ? { width: extent, height: area.height } : { width: area.width, height: extent };
    const cells = spread(columnsFirst ? size.height : size.width, inLine).map((share): Cell => {
      const pane = next++;
      return columnsFirst
        ? { kind: 'pane', pane, width: extent, height: share }
        : { kind: 'pane', pane, width: share, height: extent };
    });
    const [only] = cells;
    return cells.length === 1 && only ? only : { kind: columnsFirst ? 'column' : 'row', ...size, cells };
  });
  const [only] = lines;
  return lines.length === 1 && only ? only : { kind: columnsFirst ? 'row' : 'column', ...area, cells: lines };
}

/** For a grid, the number of columns whose cells come closest to a terminal's usual shape. */
function columnCount(layout: Layout, area: Size, count: number): number {
  if (layout.agents.arrange === 'columns') return count;
  if (layout.agents.arrange !== 'grid') return 1;
  const mostRows = Math.max(1, howMany(area.height, layout.agents.min_height));
  const mostColumns = Math.max(1, howMany(area.width, layout.agents.min_width));
  let best = mostColumns;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (let columns = 1; columns <= Math.min(mostColumns, count); columns += 1) {
    const rows = Math.ceil(count / columns);
    if (rows > mostRows) continue;
    const distance = Math.abs(Math.log(area.width / columns / (area.height / rows) / usualShape));
    if (distance >= bestDistance) continue;
    best = columns;
    bestDistance = distance;
  }
  return Math.min(best, count);
}

/** 80 columns to 24 rows. */
const usualShape = 80 / 24;

/** `whole` cells shared out to `count` parts with one line between each; the first parts take the remainder. */
function spread(whole: number, count: number): number[] {
  const room = Math.max(count, whole - (count - 1));
  return Array.from({ length: count }, (_, index) => Math.floor(room / count) + (index < room % count ? 1 : 0));
}
