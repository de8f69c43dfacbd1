/** Which columns the table has at a width. They go in the reverse of this order when it gets narrow. */
import type { TownView } from '../../domain/view.ts';
import { displayWidth } from '../text/width.ts';

type ColumnId =
  | 'agent'
  | 'state'
  | 'age'
  | 'work'
  | 'flags'
  | 'bead'
  | 'pulse'
  | 'hook'
  | 'tries'
  | 'runtime'
  | 'why'
  | 'last';

export interface Column {
  id: ColumnId;
  title: string;
  width: number;
  align: 'left' | 'right';
}

/** Cursor, mark, state sign and a space come before the first column. */
const gutterWidth = 4;

const displayOrder: readonly ColumnId[] = [
  'agent',
  'flags',
  'state',
  'hook',
  'bead',
  'work',
  'why',
  'age',
  'pulse',
  'tries',
  'runtime',
  'last',
];

/** `most`: a column that grows stops there. */
interface Wish {
  id: ColumnId;
  title: string;
  width: number;
  align?: 'right';
  share?: number;
  /** Not at the cost of these columns: they have their width first. */
  after?: { work: number; pulse?: number };
  most?: number;
}

function wishes(names: number, runtimes: number, beads: number, states: number): Wish[] {
  return [
    { id: 'agent', title: 'AGENT', width: names },
    { id: 'state', title: 'STATE', width: states },
    { id: 'age', title: 'AGE', width: 4, align: 'right' },
    { id: 'work', title: 'WORK', width: 12, share: 4, most: 64 },
    { id: 'flags', title: '', width: 2 },
    { id: 'bead', title: 'BEAD', width: beads },
    { id: 'pulse', title: 'PULSE', width: 6, after: { work: 16 } },
    { id: 'hook', title: 'HOOK', width: 9, after: { work: 22, pulse: pulseSpans } },
    { id: 'runtime', title: 'RUNTIME', width: runtimes, after: { work: 22, pulse: pulseSpans } },
    { id: 'tries', title: 'N/R', width: 4, align: 'right', after: { work: 22, pulse: pulseSpans } },
    { id: 'why', title: 'EVIDENCE', width: 18, share: 3, most: 60, after: { work: 26, pulse: pulseSpans } },
    { id: 'last', title: 'LAST ACTION', width: 16, share: 1, most: 30, after: { work: 30, pulse: pulseSpans } },
  ];
}

const widest = (texts: readonly string[], least: number, most: number): number =>
  Math.min(
    most,
    texts.reduce((width, text) => Math.max(width, displayWidth(text)), least),
  );

const plans = new Map<string, readonly Column[]>();

/**
 * Narrow tables cut the longest state words; the sign says them too. Depends on the width and on who is in town, never on what they
 * do, so that columns stay where they are.
 */
export function planColumns(view: TownView, width: number): readonly Column[] {
  const names = widest(
    view.agents.map((agent) => agent.agent_id),
    6,
    width < 60 ? 16 : 22,
  );
  const runtimes = widest(
    view.agents.map((agent) => agent.runtime),
    7,
    10,
  );
  const beads = widest(
    view.beads.map((bead) => bead.bead_id),
    8,
    12,
  );
  const key = `${width} ${names} ${runtimes} ${beads}`;
  const plan = plans.get(key) ?? choose(wishes(names, runtimes, beads, width < 110 ? 9 : 12), width);
  plans.set(key, plan);
  return plan;
}

/** Spans of ten seconds in a pulse; a narrow column shows the latest. */
const pulseSpans = 12;

/** Columns that others must have before `wish` may come. */
function owed(chosen: readonly Wish[], { after }: Wish): number {
  const lacks = (id: 'work' | 'pulse'): number => {
    const width = chosen.find((wish) => wish.id === id)?.width;
    return width === undefined ? 0 : Math.max(0, (after?.[id] ?? 0) - width);
  };
  return lacks('work') + lacks('pulse');
}

/** Widens a column to `width` as far as there is room, and answers how much that took. */
function grow(chosen: Wish[], id: ColumnId, width: number, room: number): number {
  const index = chosen.findIndex((wish) => wish.id === id);
  const wish = chosen[index];
  if (wish === undefined) return 0;
  const extra = Math.min(room, Math.max(0, width - wish.width));
  chosen[index] = { ...wish, width: wish.width + extra };
  return extra;
}

function choose(all: readonly Wish[], width: number): readonly Column[] {
  const gap = 1;
  let room = width - gutterWidth;
  const chosen: Wish[] = [];
  for (const wish of all) {
    const cost = wish.width + (chosen.length > 0 ? gap : 0);
    if (cost + owed(chosen, wish) > room) {
      if (chosen.length === 0) chosen.push({ ...wish, width: Math.max(1, room) });
      break;
    }
    room -= cost;
    chosen.push(wish);
  }
  room -= grow(chosen, 'work', 16, room);
  room -= grow(chosen, 'pulse', pulseSpans, room);
  const shares = chosen.reduce((sum, { share = 0 }) => sum + share, 0);
  const columns = chosen.map(({ id, title, width: least, align, share = 0, most = 0 }): Column => {
    const grown = least + Math.floor((room * share) / Math.max(1, shares));
    return { id, title, align: align ?? 'left', width: share > 0 ? Math.min(most, grown) : grown };
  });
  return columns.sort((a, b) => displayOrder.indexOf(a.id) - displayOrder.indexOf(b.id));
}
