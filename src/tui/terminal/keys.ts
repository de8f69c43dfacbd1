/** Bytes of the terminal → keys. Whole escape sequences are one key or nothing; a paste is one key, never commands. */
import { splitGraphemes } from '../text/width.ts';

export type KeyName =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'pageup'
  | 'pagedown'
  | 'enter'
  | 'tab'
  | 'backtab'
  | 'backspace'
  | 'delete'
  | 'escape'
  | `ctrl-${string}`;

export type Key = { kind: 'text'; text: string } | { kind: 'paste'; text: string } | { kind: 'key'; name: KeyName };

export interface KeyDecoder {
  /** Keys that are complete with this chunk. */
  push(chunk: string): Key[];
  /** True while an escape or a part of a sequence waits for its rest. */
  isWaiting(): boolean;
  /** Nothing more came in time: a lone escape was the escape key, half a sequence is dropped. */
  flush(): Key[];
}

const pasteStart = '\u001b[200~';
const pasteEnd = '\u001b[201~';
const pasteLimit = 1_048_576;

const sequences: Record<string, KeyName> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'backtab',
  '1~': 'home',
  '7~': 'home',
  '4~': 'end',
  '8~': 'end',
  '3~': 'delete',
  '5~': 'pageup',
  '6~': 'pagedown',
};

const controlNames: Record<string, KeyName> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u007f': 'backspace',
  '\b': 'backspace',
};

export function createKeyDecoder(): KeyDecoder {
  let rest = '';
  let pasted: string | null = null;

  const takePaste = (keys: Key[]): boolean => {
    const end = rest.indexOf(pasteEnd);
    const kept = end === -1 ? rest.slice(0, Math.max(0, rest.length - pasteEnd.length + 1)) : rest.slice(0, end);
    pasted = ((pasted ?? '') + kept).slice(0, pasteLimit);
    rest = end === -1 ? rest.slice(kept.length) : rest.slice(end + pasteEnd.length);
    if (end === -1) return false;
    keys.push({ kind: 'paste', text: pasted });
    pasted = null;
    return true;
  };

  const push = (chunk: string): Key[] => {
    rest += chunk;
    const keys: Key[] = [];
    while (rest !== '') {
      if (pasted !== null) {
        if (!takePaste(keys)) break;
        continue;
      }
      if (rest.startsWith(pasteStart)) {
        rest = rest.slice(pasteStart.length);
        pasted = '';
        continue;
      }
      if (rest[0] === '\u001b') {
        const length = takeSequence(rest, keys);
        if (length === 0) break;
        rest = rest.slice(length);
        continue;
      }
      const plain = /^[^\u0000-\u001f\u007f]+/.exec(rest)?.[0];
      if (plain !== undefined) {
        for (const text of splitGraphemes(plain)) keys.push({ kind: 'text', text });
        rest = rest.slice(plain.length);
        continue;
      }
      keys.push({ kind: 'key', name: controlName(rest[0] ?? '') });
      rest = rest.slice(1);
    }
    return keys;
  };

  return {
    push,
    isWaiting: () => rest !== '' && pasted === null,
    flush() {
      if (pasted !== null || rest === '') return [];
      const lone = rest;
      rest = '';
      return lone === '\u001b' ? [{ kind: 'key', name: 'escape' }] : [];
    },
  };
}

/** Length of the sequence at the start of `rest`, its key pushed; 0 when its end has not come yet. */
function takeSequence(rest: string, keys: Key[]): number {
  if (rest.length === 1) return 0;
  if (rest[1] === '[' || rest[1] === 'O') {
    const match = /^\u001b(?:\[[0-9;:<=>?]*[ -/]*[@-~]|O[@-~])/.exec(rest);
    if (match === null) return rest.length < 32 ? 0 : 1;
    const body = match[0].slice(2);
    // Modifiers (`1;5C`) do not matter to any key of ours.
    const name = sequences[body.replace(/^1;\d+(?=[A-Z]$)/, '').replace(/;\d+(?=~$)/, '')];
    if (name !== undefined) keys.push({ kind: 'key', name });
    return match[0].length;
  }
  // An escape and a key typed at once arrive together; no key of ours is bound to Alt.
  keys.push({ kind: 'key', name: 'escape' });
  return 1;
}

function controlName(char: string): KeyName {
  return controlNames[char] ?? `ctrl-${String.fromCharCode((char.codePointAt(0) ?? 0) + 96)}`;
}
