/**
 * What ended a turn, from the runtime's own fields. An unknown word is no cause, and prose is never searched: an agent
 * may write about rate limits all day (a guess would let every second turn go, or hold a session that must compact).
 */
import type { RuntimeEvent } from '../event.ts';
import { asObject, textAt } from '../event.ts';

export type StopCause = 'context_limit' | 'user_abort' | 'rate_limit' | 'authentication' | 'turn_failed';

const words: readonly (readonly [StopCause, RegExp])[] = [
  [
    'context_limit',
    /context[ _-]?(window|length|limit)|prompt is too long|token limit exceeded|max(imum)?[ _-]tokens|compact(ion)?[ _-]required|conversation too long/i,
  ],
  [
    'user_abort',
    /^(abort(ed)?|cancel(led|ed)?)$|user[ _-]?(cancel|abort|interrupt)|ctrl[ _-]?c|manual[ _-]stop|messageabortederror/i,
  ],
  [
    'rate_limit',
    /rate[ _-]?limit|\b429\b|\b529\b|overloaded|too many requests|quota|(usage|session|weekly) limit|at capacity|resource[ _-]exhausted/i,
  ],
  [
    'authentication',
    /authenticat|unauthori[sz]ed|\b401\b|\b403\b|forbidden|invalid[ _-](api[ _-]?key|token|credential)|api[ _-]?key[ _-]?(invalid|expired)|oauth|please run \/login|permission[ _-]error|billing/i,
  ],
];

/** Keys under which runtimes and their versions say why a turn ended. */
const reasonKeys = ['stop_reason', 'stopReason', 'reason', 'error', 'error_type', 'error_details'] as const;

/** Null: the turn ended by itself, or nothing tells. Only for events that end a turn. */
export function stopCause(event: RuntimeEvent): StopCause | null {
  if (event.kind === 'interrupt') return 'user_abort';
  const said = reasonKeys.flatMap((key) => textAt(event.payload, key) ?? nested(event, key));
  const failed = event.kind === 'turn_failed';
  // Older programs end such a turn like any other, with their own error line as its last words.
  if (event.text !== null && (failed || isErrorLine(event.text))) said.push(event.text.slice(0, 400));
  const found = words.find(([, pattern]) => said.some((text) => pattern.test(text)));
  return found?.[0] ?? (failed ? 'turn_failed' : null);
}

const nested = ({ payload }: RuntimeEvent, key: string): string[] => {
  const inner = asObject(payload[key]);
  return inner === null ? [] : ['type', 'name', 'message'].flatMap((name) => textAt(inner, name) ?? []);
};

const isErrorLine = (text: string): boolean =>
  text.length <= 400 &&
  /^\s*(API Error\b|Prompt is too long|Invalid API key|Please run \/login|Claude (AI )?usage limit)/.test(text);
