/** What we type into an agent on behalf of a mode. Each text carries a mark, so that it is known for ours when it comes back. */
import { cleanLine, cleanText } from '../text.ts';
import type { ModeName } from './names.ts';

/** Starts every text of ours; a prompt that has it starts and cancels nothing. */
export const modeMark = '[gastown mode';

export const said = (mode: ModeName, ...lines: readonly string[]): string =>
  [`${modeMark}: ${mode}] ${lines[0] ?? ''}`, ...lines.slice(1)].join('\n');

/** Words of others inside a text of ours: cut, one line, in quotation marks (decision 12). */
export function quoted(text: string, limit = 300): string {
  const line = Array.from(cleanLine(text));
  return `"${line.length > limit ? `${line.slice(0, limit - 1).join('')}…` : line.join('')}"`;
}

/** The end of a command's output, as lines that are set off from ours. */
export const quotedLines = (text: string, lines = 40): string =>
  cleanText(text)
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => `> ${line.slice(0, 400)}`)
    .join('\n');
