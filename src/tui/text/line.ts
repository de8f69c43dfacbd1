/** A line of the screen: parts with a tone each. Painting turns tones into SGR codes, or into nothing without colour. */
import { cut, displayWidth } from './width.ts';

/** Few colours, each with one meaning: alarm needs a human now, wait may soon, good is finished, accent is selected. */
export type Tone = 'plain' | 'dim' | 'strong' | 'alarm' | 'wait' | 'good' | 'accent' | 'title';

export interface Part {
  text: string;
  tone: Tone;
}
export type Line = readonly Part[];

export const part = (text: string, tone: Tone = 'plain'): Part => ({ text, tone });

const sgr: Record<Tone, string> = {
  plain: '',
  dim: '2',
  strong: '1',
  alarm: '1;31',
  wait: '33',
  good: '32',
  accent: '36',
  title: '1;36',
};

export const lineWidth = (line: Line): number => line.reduce((sum, { text }) => sum + displayWidth(text), 0);

/** The line as the terminal gets it, never wider than `width`. */
export function paint(line: Line, width: number, colour: boolean, ellipsis: string): string {
  let room = width;
  let painted = '';
  for (const { text, tone } of line) {
    if (room <= 0) break;
    const shown = cut(text, room, ellipsis);
    room -= displayWidth(shown);
    const code = colour ? sgr[tone] : '';
    painted += code === '' || shown.trim() === '' ? shown : `\u001b[${code}m${shown}\u001b[0m`;
  }
  return painted.trimEnd();
}

/** Left and right parts with space between; the right side goes first when both do not fit. */
export function spread(left: Line, right: Line, width: number): Line {
  const space = width - lineWidth(left) - lineWidth(right);
  return space < 1 ? left : [...left, part(' '.repeat(space)), ...right];
}
