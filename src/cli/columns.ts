/** Tables for people. Apart from the rest: knowing the width of every character takes longer to load than `status --json`. */
import stringWidth from 'string-width';
import { cleanLine } from '../domain/text.ts';

/** Rows under a heading, each column as wide as its widest cell; cells have passed hygiene. */
export function columns(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows.map((row) => row.map(cleanLine))];
  const widths = heading.map((_, index) => Math.max(...all.map((row) => stringWidth(row[index] ?? ''))));
  return all.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  );
}
