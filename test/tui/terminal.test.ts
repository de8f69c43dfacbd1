import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startControlPane } from '../../src/tui/start.tsx';
import { composerText, edit, emptyComposer } from '../../src/tui/state/composer.ts';
import { createKeyDecoder, type Key } from '../../src/tui/terminal/keys.ts';
// Loaded with the test, because loading Ink takes seconds on a busy machine.
import '../../src/tui/terminal/screen-presenter.ts';
import { createScreen, readSize } from '../../src/tui/terminal/screen.ts';
import { until } from '../support/private-tmux.ts';
import { busyView, fakeAgent, fakeFeed, fakeView, recordActions } from './support/fake-town.ts';
import { plain, toKeys } from './support/open-pane.ts';

const decode = (...chunks: string[]): Key[] => {
  const decoder = createKeyDecoder();
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.flush()];
};
const shorthand = (keys: Key[]): string =>
  keys
    .map((key) => (key.kind === 'key' ? `<${key.name}>` : key.kind === 'paste' ? `[${key.text}]` : key.text))
    .join('');

describe('bytes to keys', () => {
  it.each([
    ['jk', 'jk'],
    ['hello\r', 'hello<enter>'],
    ['\u001b[A\u001b[B\u001bOC\u001b[D', '<up><down><right><left>'],
    ['\u001b[1;5A\u001b[3;2~', '<up><delete>'],
    ['\u001b[H\u001b[4~\u001b[5~\u001b[6~\u001b[Z', '<home><end><pageup><pagedown><backtab>'],
    ['\u0015\u0017\u0003\u007f\t', '<ctrl-u><ctrl-w><ctrl-c><backspace><tab>'],
    ['\u001b', '<escape>'],
    ['\u001bj', '<escape>j'],
    ['\u001b\u001b', '<escape><escape>'],
    ['\u001b[200~two\nlines\u001b[31m\u001b[201~x', '[two\nlines\u001b[31m]x'],
    ['\u001b[I\u001b[<0;1;1M\u001b[?1;2c', ''],
    ['é👍中', 'é👍中'],
  ])('%j is %s', (bytes, expected) => {
    expect(shorthand(decode(bytes))).toBe(expected);
  });

  it('reads the same keys however the bytes are torn', () => {
    const words = fc.constantFrom(
      'j',
      '\u001b[A',
      '\u001b[1;5B',
      '\r',
      'ab',
      '\u001b[200~p\nq\u001b[201~',
      '\u001b[6~',
      '\u007f',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 6 }), (sequence, cuts) => {
        const bytes = sequence.join('');
        const at = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
        const chunks = at.slice(1).map((end, index) => bytes.slice(at[index], end));
        expect(shorthand(decode(...chunks))).toBe(shorthand(decode(bytes)));
      }),
    );
  });
});

describe('the one-line composer', () => {
  const typed = (...keys: string[]): string => {
    const composer = keys.flatMap(toKeys).reduce((each, key) => edit(each, key) ?? each, emptyComposer(50));
    return `${composer.before.join('')}|${composer.after.join('')}`;
  };

  it.each([
    [['abc'], 'abc|'],
    [['abc', 'left', 'X'], 'abX|c'],
    [['abc', 'home', 'X'], 'X|abc'],
    [['abc', 'home', 'right', 'delete'], 'a|c'],
    [['two words', 'ctrl-w'], 'two |'],
    [['two words', 'left', 'ctrl-u'], '|s'],
    [['two words', 'home', 'ctrl-k'], '|'],
    [['中文', 'backspace'], '中|'],
    [['e\u0301x', 'left', 'backspace'], '|x'],
  ])('%j gives %s', (keys, expected) => {
    expect(typed(...keys)).toBe(expected);
  });

  it('takes a paste as one line of clean text, and no more than its limit', () => {
    const pasted = edit(emptyComposer(50), { kind: 'paste', text: 'one\r\ntwo\tthree\u001b[31m\u0000' });
    expect(pasted && composerText(pasted)).toBe('one two three[31m');
    const long = edit(emptyComposer(5), { kind: 'paste', text: '123456789' });
    expect(long && composerText(long)).toBe('12345');
  });
});

describe('the painter', () => {
  const record = () => {
    const writes: string[] = [];
    const screen = createScreen({ write: (text) => writes.push(text) });
    screen.enter();
    return { writes, screen };
  };

  it('writes only lines that changed, and nothing for the same frame', () => {
    const { writes, screen } = record();
    screen.draw(['one', 'two', 'three'], null);
    writes.length = 0;
    screen.draw(['one', 'two', 'three'], null);
    expect(writes).toEqual([]);
    screen.draw(['one', 'TWO', 'three'], null);
    expect(writes.join('')).toContain('TWO');
    expect(writes.join('')).not.toContain('one');
  });

  it('field report 51: never clears the scrollback, draws all again after a resize, and gives the terminal back once', () => {
    const { writes, screen } = record();
    screen.draw(['one'], { x: 1, y: 0 });
    screen.forget();
    screen.draw(['one'], null);
    screen.leave();
    screen.leave();
    const all = writes.join('');
    expect(all).not.toContain('\u001b[3J');
    expect(all.match(/one/g)).toHaveLength(2);
    expect(all.match(/\u001b\[\?1049l/g)).toHaveLength(1);
    expect(all.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
  });

  it('takes 0 and undefined sizes for 80 by 24', () => {
    expect(readSize({ write: () => true })).toEqual({ columns: 80, rows: 24 });
    expect(readSize({ columns: 0, rows: 0, write: () => true })).toEqual({ columns: 80, rows: 24 });
  });
});

class FakeOutput extends EventEmitter {
  readonly isTTY = true;
  columns = 80;
  rows = 24;
  written = '';
  write(text: string): boolean {
    this.written += text;
    return true;
  }
}

describe('the whole pane on streams', () => {
  const start = (env: NodeJS.ProcessEnv = {}, view = busyView()) => {
    const stdin = new PassThrough();
    const stdout = new FakeOutput();
    const feed = fakeFeed(view);
    const actions = recordActions();
    const exits: number[] = [];
    const abort = new AbortController();
    const ended = startControlPane({
      feed,
      actions,
      env,
      stdin,
      stdout,
      onExit: (code) => void exits.push(code),
      signal: abort.signal,
    });
    return { stdin, stdout, feed, actions, exits, abort, ended };
  };
  const isRestored = (written: string): boolean => written.endsWith('\u001b[?25h\u001b[?1049l');

  it('draws through Ink what the view model made, and ends when its input ends', async () => {
    const { stdin, stdout, ended, exits } = start({ NO_COLOR: '1' });
    await until('the first frame', () => stdout.written.includes('polecat-bravo'));
    expect(plain(stdout.written)).toMatch(/AGENT +STATE/);
    stdin.end();
    expect(await ended).toBe(0);
    expect(exits).toEqual([0]);
    expect(isRestored(stdout.written)).toBe(true);
  });

  it('goes on after q: only the client is detached', async () => {
    const { stdin, stdout, ended, actions, abort } = start();
    await until('the first frame', () => stdout.written.includes('polecat-bravo'));
    stdin.write('q');
    await until('detach', () => actions.calls.some(({ name }) => name === 'detach'));
    stdin.write('?');
    await until('the help', () => stdout.written.includes('Keys'));
    abort.abort();
    expect(await ended).toBe(0);
  });

  it('field report 51: a storm of resizes gives no clear of the scrollback and no repaint at the same size', async () => {
    const { stdin, stdout, ended } = start(
      {},
      fakeView({ agents: Array.from({ length: 30 }, (_, index) => fakeAgent(`p-${index}`)) }),
    );
    await until('the first frame', () => stdout.written.includes('p-0'));
    for (const [columns, rows] of [
      [80, 10],
      [80, 40],
      [120, 40],
      [60, 40],
      [120, 40],
      [20, 5],
      [80, 24],
    ] as const) {
      stdout.columns = columns;
      stdout.rows = rows;
      stdout.emit('resize');
    }
    const { written } = stdout;
    stdout.emit('resize');
    expect(stdout.written).toBe(written);
    expect(written).not.toContain('\u001b[3J');
    stdin.end();
    await ended;
  });

  it('speaks in lines for a screen reader: each change once, no escape sequences', async () => {
    const { stdin, stdout, feed, ended } = start({ INK_SCREEN_READER: 'true' });
    await until('the first lines', () => stdout.written.includes('polecat-bravo: asking'));
    const view = feed.current();
    const before = stdout.written.length;
    feed.push({
      ...view,
      agents: view.agents.map((agent) => (agent.agent_id === 'polecat-alpha' ? { ...agent, state: 'stalled' } : agent)),
    });
    await until('the change', () => stdout.written.slice(before).includes('polecat-alpha: stalled'));
    expect(stdout.written.slice(before)).not.toContain('polecat-bravo:');
    stdin.write('j');
    await until('the selection', () => /Selected polecat-\w+:/.test(stdout.written.slice(before)));
    stdin.write('x');
    await until('the question', () => /Stop polecat-\w+\? .*y for yes, n for no\./.test(stdout.written));
    stdin.write('n');
    await until('the answer', () => stdout.written.includes('Closed.'));
    expect(stdout.written).not.toMatch(/[\u001b─▁]/);
    stdin.end();
    expect(await ended).toBe(0);
  });
});
