/** Free text on its way into a record: notes, questions, proposals. Stored exact, shown through `text.ts`. */
import { cutBytes } from './quote.ts';

/** Most bytes of one stored text (seed 003's notes; a longer one is cut and says so). */
export const proseLimitBytes = 8192;

const cutMark = '… [cut]';
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Exact Unicode, lone surrogates replaced, at most `proseLimitBytes` of UTF-8 including the mark of the cut. */
export function storedText(text: string): string {
  const whole = text.replace(loneSurrogate, '\ufffd');
  const cut = cutBytes(whole, proseLimitBytes);
  return cut.length === whole.length ? whole : `${cutBytes(whole, proseLimitBytes - 9)}${cutMark}`;
}
