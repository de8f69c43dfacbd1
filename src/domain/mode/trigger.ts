/**
 * A prompt that begins with a mode's own word starts it; one that begins with a word of cancelling ends what runs. Only the
 * beginning counts: a mode that is talked about, asked about or pasted is none (seed 004's trigger words, when they lead).
 */

import type { ModeName } from './names.ts';
import { modeMark } from './said.ts';

export type Trigger =
  | { kind: 'start'; mode: ModeName; goal: string; workers: number | null; stages: readonly string[] }
  | { kind: 'cancel'; mode: ModeName | null };

const words: readonly (readonly [pattern: RegExp, mode: ModeName, keepsWords: boolean])[] = [
  [/^\/?ralph\b/i, 'ralph', false],
  // "Don't stop the server" is about a server.
  [/^(don['’]?t|do not) stop(?=\s*([,:.!–—-]|$|(until|till|before|unless|and)\b))/i, 'ralph', true],
  [/^\/?autopilot\b/i, 'autopilot', false],
  [/^build me\b/i, 'autopilot', true],
  [/^\/?ultrapilot\b/i, 'ultrapilot', false],
  [/^\/?swarm(\s+(?<workers>\d{1,3}))(\s+agents?)?\b/i, 'swarm', false],
  [/^\/swarm\b/i, 'swarm', false],
  [/^\/?pipeline\b(?=\s*:|\s+.*(\||->|→))/is, 'pipeline', false],
  [/^\/pipeline\b/i, 'pipeline', false],
  [/^\/?ultraqa\b/i, 'ultraqa', false],
  [/^\/?(ultrawork|ulw)\b/i, 'ultrawork', false],
];

const cancelling = /^(cancelomc|stopomc|\/cancel|\/mode\s+cancel|mode\s+cancel)(\s+(?<mode>[a-z]+))?\s*[.!]?\s*$/i;

/** What follows a mode's name when it is only talked about. */
const talk =
  /^(is|was|are|were|does|did|can|could|has|had|should|will|would|seems|and|or|mode\s+(is|was|does|seems|has))\b/i;

/** Null for everything else, and for every text of ours. */
export function triggerIn(prompt: string): Trigger | null {
  const text = prompt.trim();
  if (text.startsWith(modeMark) || text.startsWith('[gastown')) return null;
  const cancel = cancelling.exec(text);
  if (cancel) return { kind: 'cancel', mode: modeNamed(cancel.groups?.['mode']) };
  for (const [pattern, mode, keepsWords] of words) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const rest = text.slice(match[0].length).replace(/^\s*[:,–—-]?\s*/, '');
    const isCommand = text.startsWith('/') || /^\s*:/.test(text.slice(match[0].length));
    if (!isCommand && !keepsWords && (talk.test(rest) || text.endsWith('?'))) return null;
    const workers = match.groups?.['workers'];
    return {
      kind: 'start',
      mode,
      goal: keepsWords ? text : rest,
      workers: workers === undefined ? null : Math.max(1, Math.min(100, Number(workers))),
      stages: mode === 'pipeline' ? rest.split(/\s*(?:\||->|→|\n)\s*/).filter((stage) => stage !== '') : [],
    };
  }
  return null;
}

function modeNamed(word: string | undefined): ModeName | null {
  const found = words.find(([, mode]) => mode === word?.toLowerCase());
  return found?.[1] ?? null;
}
