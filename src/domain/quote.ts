/**
 * Foreign text inside our own text (decision 12): it is shown as data and cannot end its quotation, open a tag, start a
 * code fence or hide characters. And quoting for a shell.
 */
import { cleanLine, cleanText } from './text.ts';

/** Characters that show nothing but are read by a model: zero-width marks, soft hyphen, the tag block. */
const hidden = /[\u00ad\u200b\u200c\u200e\u200f\u2060-\u2065\u{e0000}-\u{e007f}]/gu;

/** A tag becomes `‹…`; a fence of three or more marks loses its meaning; `a < b` stays as it is. */
const defuse = (text: string): string =>
  text
    .replace(hidden, '')
    .replace(/<(?=[/!?a-zA-Z])/g, '‹')
    .replace(/`{3,}|~{3,}/g, (marks) => "'".repeat(marks.length));

/** One line in double quotes, cut to `limit` characters. For titles, reasons and names. */
export function quoteLine(text: string, limit = 160): string {
  const line = defuse(cleanLine(text)).replaceAll('"', "'");
  const points = Array.from(line);
  return `"${points.length > limit ? `${points.slice(0, limit - 1).join('')}…` : line}"`;
}

/** Every line begins with `> `. At most `limitBytes` of UTF-8; what was cut is said in the last line with `pointer`. */
export function quoteBlock(text: string, limitBytes: number, pointer: string): string {
  const whole = defuse(cleanText(text)).trim();
  if (whole === '') return '> (no text)';
  const quoted = whole
    .split('\n')
    // A tab that is typed into a composer would complete something.
    .map((line) => `> ${line.replaceAll('\t', '    ').trimEnd()}`.trimEnd())
    .join('\n');
  if (byteLength(quoted) <= limitBytes) return quoted;
  const ending = `\n> … cut here; the whole text: ${pointer}`;
  return `${cutBytes(quoted, Math.max(0, limitBytes - byteLength(ending))).trimEnd()}${ending}`;
}

export const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** The longest beginning of `text` that fits, never within a character. */
export function cutBytes(text: string, limitBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limitBytes) return text;
  let end = Math.max(0, limitBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

/** A word for `sh`: itself where that is safe, else in single quotes. */
export const shellWord = (word: string): string =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
