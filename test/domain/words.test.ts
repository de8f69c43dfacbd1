import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bead, readyBeads } from '../../src/domain/bead.ts';
import { isId, newBeadId, parseId } from '../../src/domain/ids.ts';
import { toLine, toRecordText } from '../../src/domain/json.ts';
import { cleanLine, cleanText } from '../../src/domain/text.ts';
import { formatAge, parseTime, toIso } from '../../src/domain/time.ts';

describe('names that may become a path, a tmux target or a branch', () => {
  const safe = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
  test('field report 11: for any text, what is accepted is harmless and what is refused is exit 1', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('agent', 'bead', 'session'),
        fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
        (kind, text) => {
          if (isId(kind, text)) return safe.test(text) && text.length <= 255 && parseId(kind, text) === text;
          try {
            parseId(kind, text);
            return false;
          } catch (error) {
            return (error as { exit?: number }).exit === 1 && !/[\u0000-\u001f]/.test((error as Error).message);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each(['a', 'polecat-alpha', `a${'b'.repeat(30)}`])('%s is an agent', (name) =>
    expect(isId('agent', name)).toBe(true),
  );
  test.each(['', 'A', '1a', '-a', 'a.b', 'a_b', `a${'b'.repeat(31)}`, 'a\n', '__proto__', 'constructor ', '..'])(
    '%j is none',
    (name) => expect(isId('agent', name)).toBe(false),
  );

  test('new bead ids are bead ids, whatever the random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: 5, maxLength: 9 }), (bytes) => isId('bead', newBeadId(bytes))));
  });
});

describe('text from elsewhere (decision 12)', () => {
  const text = fc.string({ unit: 'binary' });
  const forbidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

  const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

  test('no control, no bidi control and no lone surrogate is left, and cleaning twice changes nothing', () => {
    fc.assert(
      fc.property(text, (given) => {
        const clean = cleanText(given);
        return !forbidden.test(clean) && !loneSurrogate.test(clean) && cleanText(clean) === clean;
      }),
      { numRuns: 2_000 },
    );
  });

  test('a line is one line', () => {
    fc.assert(fc.property(text, (given) => !/[\n\r\t]|^\s|\s$| {2}/.test(cleanLine(given))));
    expect(cleanLine(' one\r\n\ttwo\u2028three\u001b[31m ')).toBe('one two three[31m');
  });

  test('what people write stays: accents, emoji with joiners, Chinese, tabs and newlines', () => {
    const kept = 'Zürich 👩‍💻 你好\n\tcode\n';
    expect(cleanText(kept)).toBe(kept);
  });
});

describe('records as text (DESIGN section 5)', () => {
  test('any JSON value survives, its keys sorted at every level, with a final newline', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const back = JSON.parse(toRecordText(value));
        expect(back).toEqual(JSON.parse(JSON.stringify(value)));
        return (
          toRecordText(back) === toRecordText(value) &&
          toRecordText(value).endsWith('\n') &&
          !toLine(value).includes('\n')
        );
      }),
    );
    expect(toRecordText({ b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] })).toBe(
      '{\n  "a": [\n    {\n      "y": 2,\n      "z": 1\n    }\n  ],\n  "b": {\n    "c": 2,\n    "d": 1\n  }\n}\n',
    );
  });

  test('a key __proto__ is a key', () => {
    expect(toLine(JSON.parse('{"__proto__":{"x":1},"a":1}'))).toBe('{"__proto__":{"x":1},"a":1}');
  });
});

describe('times', () => {
  test('what is written is read back, to the millisecond', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => parseTime(toIso(ms)) === ms));
  });

  test('mixed precision and other zones are instants, not text', () => {
    expect(parseTime('2026-03-05T10:30:00Z')).toBe(parseTime('2026-03-05T11:30:00.000+01:00'));
    expect(parseTime('2026-03-05T10:30:00.5Z')).toBe((parseTime('2026-03-05T10:30:00Z') ?? 0) + 500);
  });

  test.each([
    '2026-03-05T10:30:00',
    '2026-03-05',
    'yesterday',
    '',
    1772706600,
    null,
    '2026-13-05T10:30:00Z',
    '2026-03-05T25:30:00Z',
  ])('%j is no time', (given) => expect(parseTime(given)).toBeNull());

  test.each([
    [-5, 'now'],
    [4_999, 'now'],
    [5_000, '5s'],
    [59_999, '55s'],
    [60_000, '1m'],
    [3_600_000, '1h'],
    [172_800_000, '2d'],
  ])('an age of %i ms reads %s: steps that keep an idle screen still', (ms, text) => expect(formatAge(ms)).toBe(text));
});

describe('which beads are ready', () => {
  const bead = (bead_id: string, given: Partial<Bead> = {}): Bead => ({
    bead_id,
    title: bead_id,
    description: '',
    status: 'open',
    priority: 'P2',
    assignee: null,
    needs: [],
    created_at: toIso(0),
    ...given,
  });
  const ready = (...beads: Bead[]): string[] => readyBeads(beads).map((one) => one.bead_id);

  test('the most urgent first, then the oldest', () => {
    const beads = [
      bead('gt-c', { created_at: '2026-03-05T10:30:00Z' }),
      bead('gt-b', { created_at: toIso(5) }),
      bead('gt-a', { priority: 'P3' }),
      bead('gt-d', { priority: 'P1', created_at: toIso(9) }),
    ];
    expect(ready(...beads)).toEqual(['gt-d', 'gt-b', 'gt-c', 'gt-a']);
  });

  test('a need must be done or merged; failed, missing and circular ones block', () => {
    const done = bead('gt-done', { status: 'done' });
    const merged = bead('gt-merged', { status: 'merged' });
    const failed = bead('gt-failed', { status: 'failed' });
    expect(
      ready(
        done,
        merged,
        failed,
        bead('gt-a', { needs: ['gt-done', 'gt-merged'] }),
        bead('gt-b', { needs: ['gt-failed'] }),
        bead('gt-c', { needs: ['gt-nowhere'] }),
        bead('gt-d', { needs: ['gt-e'] }),
        bead('gt-e', { needs: ['gt-d'] }),
      ),
    ).toEqual(['gt-a']);
  });

  test('instants are compared, not their text', () => {
    const early = bead('gt-z', { created_at: '2026-03-05T10:30:00Z' });
    const late = bead('gt-a', { created_at: '2026-03-05T10:30:00.500Z' });
    expect(ready(late, early)).toEqual(['gt-z', 'gt-a']);
  });
});
