/** One finding of `doctor`. Every check that can be mended says how; those with `fixed` were, and were looked at again. */
export interface Check {
  group: 'machine' | 'tmux' | 'git' | 'runtimes' | 'configuration' | 'state' | 'town';
  name: string;
  /** `warn`: works, with a cost that the text names. */
  result: 'ok' | 'warn' | 'fail';
  text: string;
  /** What to do about it; empty when there is nothing to do. */
  next: string;
  fixed: boolean;
}

export const check = (
  group: Check['group'],
  name: string,
  result: Check['result'],
  text: string,
  next = '',
  fixed = false,
): Check => ({ group, name, result, text, next, fixed });

/** True when version `found` (like `3.3a`) is at least `least` (like `3.2`). Null: no number in it. */
export function isAtLeast(found: string, least: string): boolean | null {
  const numbers = (text: string): number[] | null => /\d+(?:\.\d+)*/.exec(text)?.[0].split('.').map(Number) ?? null;
  const [have, need] = [numbers(found), numbers(least)];
  if (have === null || need === null) return null;
  for (let index = 0; index < need.length; index += 1) {
    const difference = (have[index] ?? 0) - (need[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
