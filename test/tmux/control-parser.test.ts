import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ControlEvent, controlParser } from '../../src/tmux/control-parser.ts';

/** As tmux 3.3a writes it: the attach, notifications, a reply with UTF-8, an error, a failing hook's bare line. */
const recorded = Buffer.from(
  [
    '%begin 1759276800 262 0',
    '%end 1759276800 262 0',
    '%session-changed $0 anchor',
    '%begin 1759276800 270 1',
    '%0 é 漢字 👩‍👩‍👧',
    '',
    '%end 1759276800 271 1',
    '%end of a sentence',
    '%end 1759276800 270 1',
    "can't find window: nowhere",
    '%window-close @3',
    '%begin 1759276801 280 1',
    "can't find pane: %99",
    '%error 1759276801 280 1',
    '%begin 1759276801 281 1',
    '%pause %4',
    '%continue %4',
    '%end 1759276801 281 1',
    '%exit server exited',
    '',
  ].join('\n'),
);

const expected: ControlEvent[] = [
  { kind: 'reply', ok: true, own: false, lines: [] },
  { kind: 'notification', name: 'session-changed', rest: '$0 anchor' },
  {
    kind: 'reply',
    ok: true,
    own: true,
    lines: ['%0 é 漢字 👩‍👩‍👧', '', '%end 1759276800 271 1', '%end of a sentence'],
  },
  { kind: 'stray', line: "can't find window: nowhere" },
  { kind: 'notification', name: 'window-close', rest: '@3' },
  { kind: 'reply', ok: false, own: true, lines: ["can't find pane: %99"] },
  { kind: 'notification', name: 'pause', rest: '%4' },
  { kind: 'notification', name: 'continue', rest: '%4' },
  { kind: 'reply', ok: true, own: true, lines: [] },
  { kind: 'notification', name: 'exit', rest: 'server exited' },
];

describe('controlParser', () => {
  it('ends a block only at its own number, takes bare lines and %pause inside a block for what they are', () => {
    expect(controlParser().push(recorded)).toEqual(expected);
  });

  it('gives the same events for every way the bytes may be cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 })), (lengths) => {
        const parser = controlParser();
        const events: ControlEvent[] = [];
        let at = 0;
        for (const length of [...lengths, recorded.length]) {
          events.push(...parser.push(recorded.subarray(at, at + length)));
          at += length;
        }
        expect(events).toEqual(expected);
      }),
    );
  });
});
