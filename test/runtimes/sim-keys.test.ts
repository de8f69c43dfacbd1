import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Key, keyReader } from '../../src/runtimes/sim/keys.ts';

const all = (...pieces: string[]): Key[] => {
  const reader = keyReader();
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.settle()];
};
/** Neighbouring text as one key: how it came apart is of no interest. */
function joined(keys: Key[]): Key[] {
  const done: Key[] = [];
  for (const key of keys) {
    const last = done.at(-1);
    if (key.kind === 'text' && last?.kind === 'text')
      done[done.length - 1] = { kind: 'text', text: last.text + key.text };
    else done.push(key);
  }
  return done;
}

test('field report 04: newlines inside a bracketed paste are text, Enter is a key of its own', () => {
  expect(all('\u001b[200~one\r\ntwo\rthree\u001b[201~\r')).toEqual([
    { kind: 'text', text: 'one\ntwo\nthree' },
    { kind: 'submit' },
  ]);
});

test('field report 04: without brackets each line is submitted', () => {
  expect(all('one\rtwo\r')).toEqual([
    { kind: 'text', text: 'one' },
    { kind: 'submit' },
    { kind: 'text', text: 'two' },
    { kind: 'submit' },
  ]);
});

test('a lone ESC is the Escape key only when nothing follows; other sequences are no keys', () => {
  expect(all('\u001b')).toEqual([{ kind: 'escape' }]);
  expect(all('\u001b[A\u001b[1;5Ca')).toEqual([{ kind: 'text', text: 'a' }]);
  expect(all('\u001b\u001b')).toEqual([{ kind: 'escape' }, { kind: 'escape' }]);
  expect(all('a\u007f\u0015\u0003')).toEqual([
    { kind: 'text', text: 'a' },
    { kind: 'erase' },
    { kind: 'clear-line' },
    { kind: 'interrupt' },
  ]);
});

test('where the bytes come apart makes no difference', () => {
  const piece = fc.oneof(
    fc.constantFrom('\r', '\u001b[200~', '\u001b[201~', '\u001b[A', '\u007f', 'ä🙂', '\u001b[20'),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 8 }), (pieces, cuts) => {
      const text = pieces.join('');
      const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
      const apart = at.slice(1).map((end, index) => text.slice(at[index], end));
      expect(joined(all(...apart))).toEqual(joined(all(text)));
    }),
  );
});

test('field report 05: a megabyte arrives exact, however it is cut', () => {
  const text = `${'line of text, äöü\n'.repeat(60_000)}end`;
  const whole = `\u001b[200~${text}\u001b[201~`;
  const pieces = Array.from({ length: Math.ceil(whole.length / 4093) }, (_, index) =>
    whole.slice(index * 4093, (index + 1) * 4093),
  );
  expect(joined(all(...pieces))).toEqual([{ kind: 'text', text }]);
});
