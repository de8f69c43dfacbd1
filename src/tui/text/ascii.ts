/** ASCII mode sends seven bits only, and every character keeps its width. */
import { displayWidth, splitGraphemes } from './width.ts';

const sevenBits = /^[\x00-\x7f]*$/;
const lookalikes: Readonly<Record<string, string>> = { '’': "'", '‘': "'", '“': '"', '”': '"', '–': '-', '—': '-' };

export function toAscii(text: string): string {
  return sevenBits.test(text) ? text : splitGraphemes(text).map(plain).join('');
}

/** Accents are dropped; what has no letter behind it is as many question marks as it is wide. */
function plain(grapheme: string): string {
  if (sevenBits.test(grapheme)) return grapheme;
  const known = lookalikes[grapheme];
  if (known !== undefined) return known;
  const base = grapheme.normalize('NFD').replace(/\p{M}/gu, '');
  return base.length === 1 && sevenBits.test(base) ? base : '?'.repeat(displayWidth(grapheme));
}
