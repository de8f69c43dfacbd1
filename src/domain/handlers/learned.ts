/** Words of an agent that tell of something worth keeping: a cause that was found, a trick, a thing to remember next time. */
import { cleanLine } from '../text.ts';

const telling =
  /\b(the (root )?cause (was|is|turned out)|the (trick|fix|solution|workaround|problem) (was|is) (that|to|because)|it turns out( that)?|turned out to be|for next time|note for the future|lesson learned|the key (insight|point) (was|is))\b/i;

/** The sentence with such words, or null. Too short says nothing, and quotations and code are not the agent's own words. */
export function learnedFrom(text: string): string | null {
  const own = text
    .slice(-4_000)
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/^>.*$/gm, ' ');
  const sentence = cleanLine(own)
    .split(/(?<=[.!?])\s+/)
    .find((one) => telling.test(one));
  return sentence !== undefined && sentence.length >= 40 ? sentence.slice(0, 300) : null;
}
