/** One line of typed text with a cursor between graphemes. Pure. */
import { cleanLine } from '../../domain/text.ts';
import type { Key } from '../terminal/keys.ts';
import { splitGraphemes } from '../text/width.ts';

export interface Composer {
  before: readonly string[];
  after: readonly string[];
  /** Longest text, in graphemes; what would be more is not taken. */
  limit: number;
}

export const emptyComposer = (limit: number, text = ''): Composer => ({
  before: splitGraphemes(text).slice(0, limit),
  after: [],
  limit,
});

export const composerText = (composer: Composer): string => composer.before.join('') + composer.after.join('');

/** The composer after `key`; null for a key that is not editing. Pasted newlines become spaces, controls vanish. */
export function edit(composer: Composer, key: Key): Composer | null {
  const { before, after } = composer;
  if (key.kind === 'text') return insert(composer, key.text);
  if (key.kind === 'paste') return insert(composer, cleanLine(key.text));
  switch (key.name) {
    case 'backspace':
    case 'ctrl-h':
      return { ...composer, before: before.slice(0, -1) };
    case 'delete':
    case 'ctrl-d':
      return { ...composer, after: after.slice(1) };
    case 'left':
    case 'ctrl-b':
      return { ...composer, before: before.slice(0, -1), after: [...before.slice(-1), ...after] };
    case 'right':
    case 'ctrl-f':
      return { ...composer, before: [...before, ...after.slice(0, 1)], after: after.slice(1) };
    case 'home':
    case 'ctrl-a':
      return { ...composer, before: [], after: [...before, ...after] };
    case 'end':
    case 'ctrl-e':
      return { ...composer, before: [...before, ...after], after: [] };
    case 'ctrl-u':
      return { ...composer, before: [] };
    case 'ctrl-k':
      return { ...composer, after: [] };
    case 'ctrl-w':
      return { ...composer, before: splitGraphemes(before.join('').replace(/\S*\s*$/u, '')) };
    default:
      return null;
  }
}

function insert(composer: Composer, text: string): Composer {
  const room = composer.limit - composer.before.length - composer.after.length;
  // Joined again, because a combining mark typed after its letter belongs to that letter.
  const before = splitGraphemes(composer.before.join('') + splitGraphemes(text).slice(0, Math.max(0, room)).join(''));
  return { ...composer, before };
}
