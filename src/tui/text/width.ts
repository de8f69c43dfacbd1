/** Display width: everything the control pane draws is cut and padded by columns of the terminal, never by length. */
import stringWidth from 'string-width';
import { cleanLine, cleanText } from '../../domain/text.ts';

const plainAscii = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Columns that `text` takes. */
export const displayWidth = (text: string): number => (plainAscii.test(text) ? text.length : stringWidth(text));

/** What a person sees as single characters. */
export const splitGraphemes = (text: string): string[] =>
  plainAscii.test(text) ? [...text] : Array.from(graphemes.segment(text), (part) => part.segment);

/** Format characters (joiners, marks of direction), variation selectors and skin tones: terminals disagree on their width. */
const unsteady = /[\p{Cf}\p{Variation_Selector}\p{Emoji_Modifier}]/gu;
const markPile = /(\p{M}{2})\p{M}+/gu;
const oneLineLimit = 4096;

/**
 * Foreign text made fit for one row: hygiene of the domain, then only characters whose width every terminal agrees on.
 * A family emoji becomes its first member, a pile of combining marks its first two. At most 4096 characters are looked at.
 */
export function rowText(text: string): string {
  const known = cleaned.get(text);
  if (known !== undefined) return known;
  const line = makeRowText(text);
  if (cleaned.size >= cleanedLimit) cleaned.clear();
  cleaned.set(text, line);
  return line;
}

/** The same titles are drawn again and again. Emptied when full, so that a long life costs no memory. */
const cleaned = new Map<string, string>();
const cleanedLimit = 2000;

function makeRowText(text: string): string {
  const short = text.length > oneLineLimit ? text.slice(0, oneLineLimit) : text;
  const line = cleanLine(short);
  if (plainAscii.test(line)) return line;
  return splitGraphemes(line)
    .map((cluster) => (cluster.includes('\u200d') ? (cluster.split('\u200d')[0] ?? '') : cluster))
    .join('')
    .replace(unsteady, '')
    .replace(markPile, '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** A line of a pane: its spaces stay, because its layout is the point; everything else is hygiene as for rows. */
export const paneText = (text: string): string =>
  cleanText(text.slice(0, oneLineLimit))
    .replace(/[\n\t]/g, ' ')
    .replace(unsteady, '')
    .trimEnd();

/** The longest beginning of `text` that fits `width` columns, ended by `ellipsis` when something was cut. */
export function cut(text: string, width: number, ellipsis: string): string {
  if (width <= 0) return '';
  if (plainAscii.test(text)) {
    if (text.length <= width) return text;
    const room = width - displayWidth(ellipsis);
    return room <= 0 ? text.slice(0, width) : text.slice(0, room) + ellipsis;
  }
  const whole = beginning(text, width);
  if (whole.length === text.length) return text;
  const room = width - displayWidth(ellipsis);
  return room <= 0 ? whole : beginning(text, room) + ellipsis;
}

const fits = (text: string, width: number): boolean => beginning(text, width).length === text.length;

/** Whole graphemes of at most `width` columns. Looks no further, so that a text of any length costs the same. */
export function beginning(text: string, width: number): string {
  if (plainAscii.test(text)) return text.slice(0, Math.max(0, width));
  const near = text.slice(0, Math.max(0, width) * mostUnits + mostUnits);
  let end = 0;
  let used = 0;
  for (const { segment } of graphemes.segment(near)) {
    used += graphemeWidth(segment);
    if (used > width) break;
    end += segment.length;
  }
  return text.slice(0, end);
}

function graphemeWidth(grapheme: string): number {
  const known = graphemeWidths.get(grapheme);
  if (known !== undefined) return known;
  if (graphemeWidths.size >= cleanedLimit) graphemeWidths.clear();
  const width = displayWidth(grapheme);
  graphemeWidths.set(grapheme, width);
  return width;
}

const graphemeWidths = new Map<string, number>();

/** UTF-16 units that a column may take: a letter beyond the basic plane with two combining marks beyond it. */
const mostUnits = 6;

/** Exactly `width` columns: cut, then padded on the right, or on the left for `align: 'right'`. */
export function toWidth(text: string, width: number, ellipsis: string, align: 'left' | 'right' = 'left'): string {
  const short = cut(text, width, ellipsis);
  const space = ' '.repeat(Math.max(0, width - displayWidth(short)));
  return align === 'right' ? space + short : short + space;
}

/** Breaks one line of text at spaces into at most `limit` lines of at most `width` columns; the last one is cut. */
export function wrapLines(text: string, width: number, limit: number, ellipsis: string): string[] {
  if (width <= 0 || limit <= 0) return [];
  const lines: string[] = [];
  let rest = text;
  while (rest !== '' && lines.length < limit) {
    if (lines.length === limit - 1 || fits(rest, width)) {
      lines.push(cut(rest, width, ellipsis));
      break;
    }
    const head = beginning(rest, width);
    if (head === '') break;
    const space = rest[head.length] === ' ' ? head.length : head.lastIndexOf(' ');
    const at = space > head.length / 2 ? space : head.length;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return lines;
}
