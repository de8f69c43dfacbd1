/** Plain printing: JSON as records are written, lines for people, colour only where it is seen. */
import { toRecordText } from '../domain/json.ts';
import { cleanLine } from '../domain/text.ts';
import type { Call } from './command.ts';

/** `--json`: the value itself; otherwise its lines for people. */
export function print(call: Call, value: unknown, lines: () => readonly string[]): undefined {
  if (call.flag('json')) call.io.out(toRecordText(value));
  else for (const line of lines()) call.io.out(`${line}\n`);
}

/** A warning is for people and goes beside the output. */
export const warn = (call: Call, message: string): void => call.io.err(`warning: ${cleanLine(message)}\n`);

const shades = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2, bold: 1 } as const;
export type Shade = keyof typeof shades;

export const shade = (text: string, how: Shade | null, color: boolean): string =>
  color && how !== null ? `\u001b[${shades[how]}m${text}\u001b[0m` : text;
