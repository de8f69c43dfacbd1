/** What every view is drawn from. */
import type { AgentView, TownView } from '../../domain/view.ts';
import type { Context } from '../state/context.ts';
import type { Look } from '../terminal/look.ts';
import { type Line, part } from '../text/line.ts';
import { displayWidth } from '../text/width.ts';
import type { Ages } from './ages.ts';

export interface Drawing extends Context {
  look: Look;
  width: number;
  ages: Ages;
  /** When an agent's view, or the handoffs, were first seen, ms: their `age_s` values count from there. */
  seenAt(part: AgentView | TownView['handoffs']): number;
}

/** A dim line with a heading: `── heading ─────── note ──`. */
export function rule(drawing: Drawing, heading: Line, note = ''): Line {
  const sign = drawing.look.glyphs.rule;
  if (heading.length === 0) return [part(sign.repeat(drawing.width), 'dim')];
  const used = heading.reduce((sum, { text }) => sum + displayWidth(text), 0) + 4;
  const noteWidth = note === '' || used + displayWidth(note) + 6 > drawing.width ? 0 : displayWidth(note) + 2;
  const fill = Math.max(0, drawing.width - used - noteWidth - (noteWidth > 0 ? 2 : 0));
  return [
    part(`${sign} `, 'dim'),
    ...heading,
    part(` ${sign.repeat(fill + 1)}`, 'dim'),
    ...(noteWidth > 0 ? [part(` ${note} ${sign}${sign}`, 'dim')] : []),
  ];
}

/** The first visible index of a list of `count` lines in `height` rows, moved from `top` no more than `index` needs. */
export function windowTop(top: number, index: number, height: number, count: number): number {
  const last = Math.max(0, count - height);
  if (height <= 0) return 0;
  const atLeast = index - height + 1;
  return Math.max(0, Math.min(last, Math.min(Math.max(top, atLeast), Math.max(0, index))));
}
