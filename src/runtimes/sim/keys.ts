/** Bytes of a raw terminal as keys: typed text, bracketed pastes, submit, escape. Pieces of a sequence may come apart. */
export type Key =
  | { kind: 'text'; text: string }
  | { kind: 'submit' }
  | { kind: 'erase' }
  | { kind: 'clear-line' }
  | { kind: 'escape' }
  | { kind: 'interrupt' };

const pasteBegin = '\u001b[200~';
const pasteEnd = '\u001b[201~';
const sequence = /^\u001b(?:\[[0-9;?<]*[ -/]*[@-~]|O.|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^[\]O])/;

export interface KeyReader {
  /** Keys of one piece of input. */
  read(piece: string): Key[];
  /** To be called when input pauses: a lone ESC that waits is then the Escape key itself. */
  settle(): Key[];
}

export function keyReader(): KeyReader {
  let rest = '';
  let pasting = false;
  const take = (count: number): void => {
    rest = rest.slice(count);
  };

  const readPaste = (keys: Key[]): boolean => {
    const end = rest.indexOf(pasteEnd);
    // The end mark may have come in part: its bytes stay until the next piece.
    const sure = end >= 0 ? end : rest.length - partial(rest, pasteEnd);
    if (sure > 0) keys.push({ kind: 'text', text: rest.slice(0, sure).replace(/\r\n?/g, '\n') });
    take(end >= 0 ? end + pasteEnd.length : sure);
    pasting = end < 0;
    return end >= 0;
  };

  const readEscape = (keys: Key[]): boolean => {
    if (rest.startsWith(pasteBegin)) {
      take(pasteBegin.length);
      pasting = true;
      return true;
    }
    const found = sequence.exec(rest);
    if (found === null) return false;
    if (found[0] === '\u001b\u001b') keys.push({ kind: 'escape' });
    take(found[0] === '\u001b\u001b' ? 1 : found[0].length);
    return true;
  };

  return {
    read(piece) {
      rest += piece;
      const keys: Key[] = [];
      while (rest !== '') {
        if (pasting ? !readPaste(keys) : rest.startsWith('\u001b') && !readEscape(keys)) break;
        if (pasting || rest.startsWith('\u001b')) continue;
        const text = /^[^\u0000-\u001f\u007f]+/.exec(rest)?.[0];
        if (text !== undefined) keys.push({ kind: 'text', text });
        else if (rest !== '') keys.push(...control(rest.charAt(0)));
        take(text?.length ?? 1);
      }
      return keys;
    },
    settle() {
      if (pasting || rest !== '\u001b') return [];
      rest = '';
      return [{ kind: 'escape' }];
    },
  };
}

function control(key: string): Key[] {
  switch (key) {
    case '\r':
      return [{ kind: 'submit' }];
    case '\n':
      return [{ kind: 'text', text: '\n' }];
    case '\u007f':
    case '\b':
      return [{ kind: 'erase' }];
    case '\u0015':
      return [{ kind: 'clear-line' }];
    case '\u0003':
    case '\u0004':
      return [{ kind: 'interrupt' }];
    default:
      return [];
  }
}

/** Length of the longest beginning of `mark` that ends `text`. */
function partial(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(mark.slice(0, length))) return length;
  }
  return 0;
}
