import { describe, expect, it } from 'vitest';
import { readDraft, readScreen } from '../../src/domain/read-screen.ts';
import { resetTime } from '../../src/domain/reset-time.ts';
import type { ScreenMarks } from '../../src/domain/runtime.ts';
import type { Screen } from '../../src/domain/screen.ts';
import { plainText } from '../../src/domain/styled-text.ts';

const now = Date.UTC(2026, 9, 5, 12, 0);
const marks: ScreenMarks = {
  ready: { text: [/^❯/m, /^ {2}\? for shortcuts/m] },
  busy: { text: [/esc to interrupt/], title: /^[⠁-⣿]/ },
  dialogs: [
    {
      kind: 'permission',
      text: [/Do you want to /, /^ ❯ 1\. /m],
      unless: /^ {2}\? for shortcuts/m,
      hint: 'answer in its pane',
    },
  ],
  limits: [{ text: /You've hit your limit · resets (?<time>[^\n]+)/ }, { text: /retry in (?<seconds>\d+) s/ }],
  composer: /^❯[\s\u00a0]?(?<draft>.*)$/,
  placeholders: [/^Try "/],
};

const screen = (styled: string[], extra: Partial<Screen> = {}): Screen => ({
  styled,
  lines: styled.map((line) => plainText(line).trimEnd()),
  title: '',
  cursor: { x: 0, y: 0 },
  ...extra,
});
const read = (...styled: string[]) => readScreen(screen(styled), marks, now);

describe('readScreen', () => {
  it('tells ready, busy, dialog and unknown apart', () => {
    expect(read('❯ ', '  ? for shortcuts')).toEqual({ kind: 'ready', draft: '' });
    expect(read('✻ Thinking (esc to interrupt)', '❯ next', '  ? for shortcuts')).toEqual({
      kind: 'busy',
      draft: 'next',
    });
    expect(readScreen(screen(['❯ ', '  ? for shortcuts'], { title: '⠂ working' }), marks, now).kind).toBe('busy');
    expect(read('Do you want to run this?', ' ❯ 1. Yes')).toEqual({
      kind: 'dialog',
      dialog: 'permission',
      hint: 'answer in its pane',
    });
    expect(read('Welcome')).toEqual({ kind: 'unknown' });
    expect(read()).toEqual({ kind: 'unknown' });
  });

  it('a quoted dialog above a live composer is no dialog', () => {
    expect(read('it asked: Do you want to run', ' ❯ 1. Yes', '❯ ', '  ? for shortcuts').kind).toBe('ready');
  });

  it.each(['│ Rate limits │ none │', 'fn rate_limits_counted()', 'error on line 529', 'quota exceeded test passed'])(
    'field report 21: %s is no limit',
    (line) => expect(read(line, '❯ ', '  ? for shortcuts').kind).toBe('ready'),
  );

  it("field report 21: the program's own banner is one, until its time has come", () => {
    const banner = "You've hit your limit · resets 3:30pm (UTC)";
    expect(read(banner, '❯ ', '  ? for shortcuts')).toEqual({
      kind: 'limited',
      until: Date.UTC(2026, 9, 5, 15, 30),
      line: banner,
    });
    const later = readScreen(screen([banner, '❯ ', '  ? for shortcuts']), marks, Date.UTC(2026, 9, 5, 15, 31));
    expect(later.kind).toBe('ready');
    expect(read('retry in 90 s')).toEqual({ kind: 'limited', until: now + 90_000, line: 'retry in 90 s' });
    expect(read(banner, ...Array.from({ length: 25 }, () => 'much later'), '❯ ', '  ? for shortcuts').kind).toBe(
      'ready',
    );
  });
});

describe('readDraft', () => {
  const draft = (line: string) => readDraft(screen([line]), marks);

  it('is what somebody typed, not a placeholder or a dim suggestion', () => {
    expect(draft('❯ half typed')).toBe('half typed');
    expect(draft('❯\u00a0')).toBe('');
    expect(draft('❯ Try "fix the tests"')).toBe('');
    expect(draft('❯ \u001b[7mf\u001b[27m\u001b[2mix the tests\u001b[22m')).toBe('');
    expect(draft('❯ \u001b[90mfix the tests\u001b[39m')).toBe('');
    expect(draft('❯ \u001b[38;5;8mfix\u001b[0m')).toBe('');
    expect(draft('❯ run\u001b[2m --all\u001b[0m')).toBe('run');
    expect(draft('\u001b[1m❯\u001b[0m \u001b[38;2;8;8;8mtyped in colour\u001b[39m')).toBe('typed in colour');
    expect(draft('no composer')).toBeNull();
  });

  it('past prompts look alike: the row of the cursor wins, else the last', () => {
    const lines = ['❯ an old prompt', 'answer', '❯ now', '❯ below'];
    expect(readDraft(screen(lines, { cursor: { x: 3, y: 2 } }), marks)).toBe('now');
    expect(readDraft(screen(lines, { cursor: { x: 0, y: 1 } }), marks)).toBe('below');
  });
});

describe('resetTime', () => {
  it.each([
    ['2026-10-05T15:00:00Z', Date.UTC(2026, 9, 5, 15)],
    ['3pm (UTC)', Date.UTC(2026, 9, 5, 15)],
    ['11:30am (UTC)', Date.UTC(2026, 9, 5, 11, 30)],
    ['1am (UTC)', Date.UTC(2026, 9, 5, 1)],
    ['15:30 (Europe/Berlin)', Date.UTC(2026, 9, 5, 13, 30)],
    ['Oct 9, 3pm (UTC)', Date.UTC(2026, 9, 9, 15)],
    ['Oct 9th, 2026 3:04 PM (UTC)', Date.UTC(2026, 9, 9, 15, 4)],
    ['tomorrow at 9am (UTC)', Date.UTC(2026, 9, 6, 9)],
    ['in 2 hours 5 minutes', now + 125 * 60_000],
    ['1h 5m', now + 65 * 60_000],
    ['in 3 days', now + 3 * 86_400_000],
    ['soon', null],
    ['25:99', null],
  ])('%s', (text, expected) => expect(resetTime(text, now)).toBe(expected));

  it('a time of day is the one nearest to now: a banner left standing lies in the past', () => {
    const evening = Date.UTC(2026, 9, 5, 23, 30);
    expect(resetTime('1am (UTC)', evening)).toBe(Date.UTC(2026, 9, 6, 1));
    expect(resetTime('11pm (UTC)', evening)).toBe(Date.UTC(2026, 9, 5, 23));
  });
});
