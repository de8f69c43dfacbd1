import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentStates } from '../../src/domain/status.ts';
import type { AgentView } from '../../src/domain/view.ts';
import { displayWidth, rowText, toWidth, wrapLines } from '../../src/tui/text/width.ts';
import { busyView, fakeAgent, fakeBead, fakeEntry, fakeView, hookOf } from './support/fake-town.ts';
import { type OpenPane, openPane, plain } from './support/open-pane.ts';

const manyAgents = (count: number): AgentView[] =>
  Array.from({ length: count }, (_, index) =>
    fakeAgent(`polecat-${index + 1}`, { state: agentStates[index % agentStates.length] ?? 'idle' }),
  );

const hostile = [
  '\u001b[31mred\u001b[0m\u001b[2J\u001b]0;title\u0007',
  'right to left \u202e\u2066evil',
  'two\nlines\r\nand\ttabs\u0000\u009b31m',
  '修复登录重定向和会话存储的问题，谢谢'.repeat(5),
  '👨‍👩‍👧‍👦 family 👍🏽 🇩🇪 ❤️',
  'z\u0301\u0302\u0303\u0304\u0305\u0306\u0307algo',
  'x'.repeat(10_000),
  '\ud800 lone',
];

const hostileView = () =>
  fakeView({
    agents: hostile.map((title, index) =>
      fakeAgent(`polecat-${index}`, {
        state: index % 2 === 0 ? 'asking' : 'working',
        detail: title,
        branch: title,
        evidence: [{ source: 'screen', text: title, age_s: 3 }],
        hook: hookOf(`polecat-${index}`, 'active', 'gt-abc12', title),
        receipt: { action: 'nudge', result: { kind: 'failed', why: title }, at: 1 },
        pending_nudge: { nudge_id: 'n', why: title, at: '2026-11-30T11:00:00Z' },
      }),
    ),
    beads: hostile.map((title, index) => fakeBead(`gt-h${index}`, { title })),
    journal: hostile.map((message) => fakeEntry({ message, kind: message.slice(0, 30) })),
    notices: hostile,
    town: { root: '/r', name: hostile[0] ?? '', running: true, socket: '/s', server: 'ok' },
  });

/** Every state of the screen that has a layout of its own: the keys that lead there from the table. */
const places: [string, string[]][] = [
  ['table', []],
  ['peek', ['p']],
  ['beads', ['b']],
  ['mail', ['m']],
  ['events', ['e']],
  ['metrics', ['M']],
  ['learning', ['L']],
  ['gate', ['g']],
  ['help', ['?']],
  ['palette', [':']],
  ['sling', ['s']],
  ['sling to', ['s', 'new work', 'enter']],
  ['nudge', ['n', 'some text of my own that is a little longer than narrow terminals are']],
  ['filter', ['/', 'pole']],
  ['confirm', ['Q']],
];

const sizes: [number, number][] = [
  [40, 12],
  [80, 24],
  [120, 40],
  [200, 60],
  [20, 5],
  [5, 20],
  [1, 1],
  [2, 3],
  [300, 8],
  [60, 200],
  [0, 0],
];

function expectFit(pane: OpenPane, columns: number, rows: number): void {
  const lines = pane.lines();
  expect(lines.length).toBe(Math.max(0, rows - 1));
  for (const line of lines) {
    expect(displayWidth(plain(line))).toBeLessThanOrEqual(columns);
    expect(plain(line)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\n]/);
  }
  const { cursor } = pane.frame();
  if (cursor !== null) {
    expect(cursor.x).toBeLessThan(columns);
    expect(cursor.y).toBeLessThan(rows);
  }
}

describe('field report 51: the frame is never as tall as the terminal', () => {
  it.each(places)('%s fits at every size', (_place, keys) => {
    const fewSizes = sizes.filter((_size, index) => index % 3 === 0);
    const towns = [
      [busyView(), sizes],
      [hostileView(), sizes],
      [fakeView({ agents: manyAgents(30) }), fewSizes],
      [fakeView(), fewSizes],
    ] as const;
    for (const [view, all] of towns) {
      const pane = openPane({ view });
      pane.press(...keys);
      for (const [columns, rows] of all) {
        pane.resize(columns || 80, rows || 24);
        expectFit(pane, columns || 80, rows || 24);
      }
      pane.close();
    }
  });

  it('at any size, with any town, after any keys', () => {
    const key = fc.constantFrom(
      ...'jkscnrpixzobmeMg?:/!Qy'.split(''),
      'space',
      'enter',
      'escape',
      'down',
      'pagedown',
      'end',
    );
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...hostile));
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 220 }),
        fc.integer({ min: 1, max: 70 }),
        fc.array(text, { maxLength: 40 }),
        fc.array(key, { maxLength: 8 }),
        (columns, rows, titles, keys) => {
          const agents = titles.map((title, index) =>
            fakeAgent(`polecat-${index}`, {
              state: agentStates[index % agentStates.length] ?? 'idle',
              detail: title,
              hook: hookOf(`polecat-${index}`, 'active', 'gt-abc12', title),
            }),
          );
          const pane = openPane({ view: fakeView({ agents, notices: titles.slice(0, 2) }), columns, rows });
          pane.press(...keys);
          expectFit(pane, columns, rows);
          pane.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('tells how many rows are not shown', () => {
    const pane = openPane({ view: fakeView({ agents: manyAgents(30) }), columns: 80, rows: 24 });
    const rows = pane
      .lines()
      .map(plain)
      .filter((line) => /^[▌ ] \S polecat-/.test(line)).length;
    expect(pane.text()).toContain(`+${30 - rows} more`);
    pane.press('end');
    expect(pane.text()).toContain(`+${30 - rows} above`);
    pane.close();
  });

  it('shows every column on a wide terminal, and the most telling ones on a narrow one', () => {
    const wide = openPane({ columns: 200, rows: 60 });
    expect(wide.text()).toMatch(/AGENT +STATE +HOOK +BEAD +WORK +EVIDENCE +AGE +PULSE +N\/R +RUNTIME +LAST ACTION/);
    wide.resize(80, 24);
    expect(wide.text()).toMatch(/AGENT +STATE +BEAD +WORK +AGE +PULSE/);
    wide.resize(40, 12);
    expect(wide.text()).toMatch(/AGENT +STATE +AGE/);
    wide.close();
  });
});

describe('widths', () => {
  const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constantFrom(...hostile));

  it('a cell is exactly as wide as its column, whatever is in it', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 60 }), fc.constantFrom('…', '~'), (text, width, ellipsis) => {
        expect(displayWidth(toWidth(rowText(text), width, ellipsis))).toBe(width);
        expect(displayWidth(toWidth(rowText(text), width, ellipsis, 'right'))).toBe(width);
      }),
    );
  });

  it('wrapped lines fit and lose no word', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 4, max: 60 }), (text, width) => {
        const line = rowText(text);
        const lines = wrapLines(line, width, 100_000, '…');
        for (const each of lines) expect(displayWidth(each)).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
      }),
    );
  });

  it('foreign text is one steady line: no controls, no joiners, nothing of its own left to the terminal', () => {
    for (const text of hostile) {
      expect(rowText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]|\ufe0f/);
      expect(rowText(text).length).toBeLessThanOrEqual(4096);
    }
    expect(rowText('👨‍👩‍👧‍👦 ❤️ 👍🏽')).toBe('👨 ❤ 👍');
  });
});

describe('the selection', () => {
  it('follows its agent under any change of order and company', () => {
    const names = Array.from({ length: 12 }, (_, index) => `polecat-${index}`);
    const town = fc
      .shuffledSubarray(names, { minLength: 1 })
      .chain((ids) =>
        fc
          .array(fc.constantFrom(...agentStates), { minLength: ids.length, maxLength: ids.length })
          .map((states) => ids.map((id, index) => fakeAgent(id, { state: states[index] ?? 'idle' }))),
      );
    fc.assert(
      fc.property(fc.array(town, { minLength: 2, maxLength: 6 }), fc.nat(11), fc.nat(4), (towns, steps, orders) => {
        const pane = openPane({ view: fakeView({ agents: towns[0] ?? [] }) });
        pane.press('o'.repeat(orders), 'j'.repeat(steps));
        let selected = pane.drawing().ui.selected;
        for (const agents of towns.slice(1)) {
          pane.feed.push(fakeView({ agents }));
          pane.resize(100, 30);
          const next = pane.drawing().ui.selected;
          if (agents.some(({ agent_id }) => agent_id === selected)) expect(next).toBe(selected);
          expect(agents.map(({ agent_id }) => agent_id)).toContain(next);
          expect(pane.text()).toMatch(new RegExp(`▌ . ${next} `));
          selected = next;
        }
        pane.close();
      }),
      { numRuns: 60 },
    );
  });

  it('goes to the neighbour when its agent is gone, and to nobody in an empty town', () => {
    const pane = openPane({ view: fakeView({ agents: manyAgents(3) }) });
    pane.press('o');
    expect(pane.drawing().ui.selected).toBe('polecat-2');
    pane.feed.push(fakeView({ agents: manyAgents(3).filter(({ agent_id }) => agent_id !== 'polecat-2') }));
    pane.resize(100, 30);
    expect(pane.drawing().ui.selected).toBe('polecat-3');
    pane.feed.push(fakeView());
    pane.resize(100, 30);
    expect(pane.drawing().ui.selected).toBeNull();
    expect(pane.text()).toContain('No agents.');
    pane.close();
  });
});

describe('order', () => {
  it('puts who needs a human first, then what waits, then what goes well', () => {
    const agents = agentStates.map((state) => fakeAgent(`a-${state}`, { state }));
    const pane = openPane({ view: fakeView({ agents }), rows: 60 });
    const order = pane.drawing().rows.map(({ state }) => state);
    expect(order).toEqual([
      'asking',
      'dialog',
      'escalated',
      'failed',
      'dead',
      'crashlooping',
      'stalled',
      'limited',
      'unknown',
      'backoff',
      'done',
      'pending',
      'working',
      'spawning',
      'idle',
      'paused',
      'stopped',
    ]);
    pane.close();
  });
});
