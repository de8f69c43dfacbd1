/** Reading one command's words; every check happens before anything is written. */
import { usage } from '../domain/errors.ts';
import { parseId } from '../domain/ids.ts';
import { suggestion } from '../domain/nearest.ts';
import type { Call } from './command.ts';

/** The agent named by argument `index`; malformed is exit 1. Whether it exists is for the town to say. */
export const agentArgument = (call: Call, index = 0): string => parseId('agent', call.args[index]);

/** An agent that may be left out: then null. */
export const agentOrNull = (call: Call, index = 0): string | null =>
  call.args[index] === undefined ? null : agentArgument(call, index);

/** A whole number of an option, within bounds. */
export function wholeNumber(call: Call, name: string, fallback: number, [least, most]: [number, number]): number {
  const text = call.text(name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw usage(`--${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text.slice(0, 40))}`);
}

/** One of a few words. */
export function oneOf<T extends string>(given: string, words: readonly T[], what: string): T {
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  throw usage(`${what} ${JSON.stringify(given.slice(0, 40))} is not known`, suggestion(given, words));
}
