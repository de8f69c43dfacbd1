/** A heading and a windowed list with one selected line: what most screens are. */
import { type Line, part } from '../text/line.ts';
import { wrapLines } from '../text/width.ts';
import { type Drawing, rule, windowTop } from './drawing.ts';

export interface ScreenLines {
  lines: Line[];
  top: number;
}

export function list<T>(
  drawing: Drawing,
  title: string,
  items: readonly T[],
  line: (item: T, isSelected: boolean) => Line,
  empty: string,
  height: number,
  before: number,
): ScreenLines {
  const index = Math.min(Math.max(0, items.length - 1), drawing.ui.cursors[drawing.ui.screen] ?? 0);
  const isWindowed = items.length > height - 1;
  const room = Math.max(0, height - (isWindowed ? 2 : 1));
  const top = windowTop(before, index, room, items.length);
  const lines: Line[] = [
    rule(drawing, [part(title, 'strong')], `${items.length}`),
    ...items.slice(top, top + room).map((item, offset) => line(item, top + offset === index)),
  ];
  if (items.length === 0) {
    const { width, look } = drawing;
    const words = wrapLines(empty, Math.max(1, width - 4), 6, look.glyphs.ellipsis);
    lines.push(...words.map((text): Line => [part(`  ${text}`, 'dim')]));
  }
  const below = items.length - top - room;
  if (isWindowed) lines.push([part(`  ${below > 0 ? `+${below} more` : 'end'}`, 'dim')]);
  return { lines: lines.slice(0, Math.max(0, height)), top };
}
