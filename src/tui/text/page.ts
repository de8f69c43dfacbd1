/** A text that is read from its first line to its last: how much of it a screen has room for, and its lines. */
import { beginning } from './width.ts';

export interface PageLayout {
  header: number;
  title: number;
  /** Lines of text; 0 where the terminal is too small to read in. */
  text: number;
  notice: number;
  keys: number;
}

/** Narrower than this nothing can be read. */
const leastColumns = 20;
const margin = 1;

/** By the size alone: nothing that happens in the town may move the lines that are being read. */
export function pageLayout(columns: number, rows: number): PageLayout {
  const height = Math.max(0, rows - 1);
  const header = height >= 14 ? 2 : height >= 7 ? 1 : 0;
  const title = height >= 4 ? 1 : 0;
  const notice = height >= 3 ? 1 : 0;
  const keys = height >= 6 ? 1 : 0;
  const text = columns < leastColumns ? 0 : height - header - title - notice - keys;
  return { header, title, text, notice, keys };
}

/** Every character of `lines`, in lines that fit: broken at spaces where it can be, nowhere cut. */
export const wrapPage = (lines: readonly string[], columns: number): string[] =>
  lines.flatMap((line) => wrapLine(steady(line), Math.max(2, columns - 2 * margin)));

/** As many UTF-16 units as a line can take, with marks. */
const unitsPerColumn = 6;

function wrapLine(line: string, width: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < line.length; ) {
    // Only what may fit is looked at: a line of a megabyte costs no more than its pieces.
    const near = line.slice(at, at + (width + 1) * unitsPerColumn);
    const head = beginning(near, width) || String.fromCodePoint(near.codePointAt(0) ?? 0x20);
    const end = at + head.length;
    const space = head.lastIndexOf(' ') + 1;
    const isWhole = end >= line.length;
    const length = isWhole || line[end] === ' ' || space <= width / 2 ? head.length : space;
    pieces.push(head.slice(0, length));
    // The space at which a line was broken is the break.
    at += length + (!isWhole && length === head.length && line[end] === ' ' ? 1 : 0);
  }
  return pieces.length === 0 ? [''] : pieces;
}

/** What terminals draw at widths of their own: a skin tone behind its sign goes, a pile of marks is told by numbers. */
const steady = (line: string): string =>
  line
    .replace(/(?<=\p{Extended_Pictographic})\p{Emoji_Modifier}/gu, '')
    .replace(/\p{Emoji_Modifier}/gu, numbers)
    .replace(/(?<=\p{M}{2})\p{M}/gu, numbers);

const numbers = (sign: string): string => `‹${(sign.codePointAt(0) ?? 0).toString(16)}›`;
