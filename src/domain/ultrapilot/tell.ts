/** What became of the parts, in words. Pure. */
import { isSettled, type JoinedPart } from './run.ts';

/** One line for a part: what it came to, with names. */
export function partText(part: JoinedPart): string {
  const { result, conflicts, outside, left } = part;
  const foreign = `changes files of others: ${some(outside.map(({ file, owner }) => `${file} (${owner})`))}`;
  const notCommitted = `not committed: ${some(left)}`;
  switch (result) {
    case 'merged':
      return ['merged', outside.length > 0 ? foreign : '', left.length > 0 ? notCommitted : '']
        .filter(Boolean)
        .join('; ');
    case 'nothing':
      return left.length > 0 ? `no commit of its own; ${notCommitted}` : 'no commit of its own';
    case 'left_out':
      return 'left out; its branch stays';
    case 'conflict':
      return `conflict in ${some(conflicts)}`;
    case 'outside':
      return foreign;
    case 'uncommitted':
      return notCommitted;
    case 'unfinished':
      return 'a merge or rebase in its tree is not ended';
    case 'open':
      return 'not done yet';
    case 'failed':
      return 'failed';
  }
}

/** `; polecat-bravo: conflict in a.ts`, or nothing where nothing is held back. */
export const heldText = (parts: readonly JoinedPart[]): string =>
  parts
    .filter((part) => !isSettled(part))
    .map((part) => `; ${part.agent}: ${partText(part)}`)
    .join('');

const some = (names: readonly string[]): string =>
  names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`;
