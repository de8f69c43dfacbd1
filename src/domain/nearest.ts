/** "Did you mean …": the nearest of the names that would have been right. */
import { distance } from 'fastest-levenshtein';

/** The nearest candidate, or null when none is near: at most two letters off, or a third of a longer word. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const apart = distance(word.toLowerCase(), candidate.toLowerCase());
    if (apart < bestDistance && apart < candidate.length) [best, bestDistance] = [candidate, apart];
  }
  return best;
}

/** The last clause of an error line: `did you mean "x"?`, or the whole list where nothing is near. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== null) return `did you mean "${near}"?`;
  return candidates.length === 0 ? '' : `use one of ${candidates.join(', ')}`;
}
