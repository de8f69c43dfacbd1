/** Tables for people. */
import stringWidth from 'string-width';
import { cleanLine } from '../domain/text.ts';

/** Rows under a heading, each column as wide as its widest cell; cells have passed hygiene. */
export function columns(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows.map((row) => row.map(cleanLine))];
  const widths = heading.map((_, index) => Math.max(...all.map((row) => widthOf(row[index] ?? ''))));
  return all.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

const widthOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));
