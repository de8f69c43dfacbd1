/** Exactly one JSON document on stdout, or nothing (field report 33). */
import { contextLimit } from '../domain/event.ts';

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const pointer = '\n[cut by gastown; the whole text: gt prime]';

/** Every text in it is well-formed and at most `contextLimit` characters. One line. */
export const answerLine = (answer: unknown): string => `${JSON.stringify(fitted(answer))}\n`;

function fitted(value: unknown): unknown {
  if (typeof value === 'string') return fittedText(value);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fitted(inner)]));
}

export function fittedText(text: string): string {
  const whole = text.length <= contextLimit ? text : `${text.slice(0, contextLimit - pointer.length)}${pointer}`;
  return whole.replace(loneSurrogate, '\ufffd');
}
