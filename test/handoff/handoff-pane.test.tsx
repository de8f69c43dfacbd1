/** The handoff reader in the control pane: every step by keys, drawn by Ink at several sizes, and spoken. */
import { render } from 'ink-testing-library';
import { afterEach, describe, expect, it } from 'vitest';
import { type ShownHandoff, settleMs, wrongValue } from '../../src/domain/handoff-reader.ts';
import { visibleLines } from '../../src/domain/handoff-text.ts';
import type { TownView } from '../../src/domain/view.ts';
import { sentences, silence } from '../../src/tui/speech/sentences.ts';
import { FrameView } from '../../src/tui/terminal/ink-frame.tsx';
import { wrapPage } from '../../src/tui/text/page.ts';
import { displayWidth } from '../../src/tui/text/width.ts';
import { busyView, fakeView, recordActions } from '../tui/support/fake-town.ts';
import { type OpenPane, openPane, plain } from '../tui/support/open-pane.ts';

const digest = 'ab12'.repeat(16);
const secretTitle = 'hush-hush title';
const text = [
  `# Cycle 034 handoff — ${secretTitle}`,
  ...Array.from({ length: 60 }, (_, index) => `- point ${index} of what is open`),
  'the very last line',
  '',
].join('\n');
const shown = (content = text, hash = digest, tree = '/repo'): ShownHandoff => ({
  kind: 'open',
  tree,
  digest: hash,
  lines: visibleLines(content),
});

interface Wish {
  columns?: number;
  rows?: number;
  view?: TownView;
  content?: () => ShownHandoff;
  dissolve?: (value: string) => { kind: 'done'; archive: string } | { kind: 'refused'; message: string };
  acknowledge?: () => string | null;
}

const archive = 'cycles/cycle-034_20261130T120000Z_ab12ab12.md';
const judge = (value: string) =>
  value === '34' ? ({ kind: 'done', archive } as const) : ({ kind: 'refused', message: wrongValue } as const);

const panes: OpenPane[] = [];
afterEach(() => {
  for (const pane of panes.splice(0)) pane.close();
});

function open({
  content = () => shown(),
  dissolve = judge,
  acknowledge = () => null,
  ...options
}: Wish = {}): OpenPane {
  const actions = recordActions(undefined, { handoff: content, dissolve, acknowledge });
  const pane = openPane({ ...options, actions, env: { NO_COLOR: '1' } });
  panes.push(pane);
  return pane;
}

async function openReaderOf(wish: Wish = {}): Promise<OpenPane> {
  const pane = open(wish);
  pane.press('g', 'enter');
  await pane.settle();
  return pane;
}

const calls = (pane: OpenPane, name: string): (readonly unknown[])[] =>
  pane.actions.calls.filter((call) => call.name === name).map(({ args }) => args);

async function toValue(pane: OpenPane): Promise<void> {
  pane.press('end', 'enter', 'I carry the parser over', 'enter');
  await pane.settle();
}

const sizes: [number, number][] = [
  [40, 12],
  [60, 16],
  [80, 24],
  [120, 40],
  [200, 60],
];

describe('the handoff in the control pane (seed 002)', () => {
  it('the header tells age and tree, and neither header nor list anything of the content', () => {
    const pane = open({ columns: 140 });
    expect(pane.text().split('\n')[0]).toMatch(/handoff armed 2h repo/);
    pane.press('g');
    expect(pane.text()).toMatch(/armed for 2h {2}\/repo/);
    expect(pane.text()).toMatch(/crew-me asked 2m ago to dissolve {2}\/repo {2}gave too many wrong values/);
    expect(pane.text()).not.toMatch(/034|Cycle 0|ab12|hush|bytes/);
  });

  it('no palette entry, key or menu leads to the field: everything begins in the reader', async () => {
    const pane = await openReaderOf();
    const first = pane.text();
    pane.press('s', ':', '?', 'q', 'Q', 'tab', '3', '4', 'g', 'x', '!', '/');
    pane.paste('34');
    await pane.settle();
    expect(pane.text()).toBe(first);
    expect(calls(pane, 'dissolveHandoff')).toEqual([]);
    pane.press('escape', ':', 'dissolve');
    expect(pane.text()).not.toMatch(/Dissolve the handoff/);
  });

  it.each(sizes)(
    'at %d by %d: read to the last line, acknowledged, typed, archived; Ink draws it line for line',
    async (columns, rows) => {
      const pane = await openReaderOf({ columns, rows });
      const check = (): void => {
        const lines = pane.lines();
        expect(lines).toHaveLength(rows - 1);
        for (const line of lines) expect(displayWidth(plain(line))).toBeLessThanOrEqual(columns);
        const app = render(<FrameView sections={[...pane.frame().sections]} columns={columns} />);
        expect((app.lastFrame() ?? '').split('\n')).toEqual(lines.map((line) => line.trimEnd()));
        app.unmount();
      };
      check();
      expect(pane.text()).toContain('# Cycle 034 handoff');
      expect(pane.text()).not.toContain('the very last line');

      pane.press('enter');
      expect(pane.text()).toContain('read it to its last line first');
      expect(pane.frame().cursor).toBeNull();
      const seen = new Set<string>();
      const wanted = wrapPage(visibleLines(text), columns);
      for (let page = 0; page < 40 && !pane.text().includes('the very last line'); page += 1) {
        for (const line of pane.lines()) seen.add(plain(line).trim());
        pane.press('space');
        check();
      }
      for (const line of pane.lines()) seen.add(plain(line).trim());
      expect(wanted.filter((line) => !seen.has(line.trim()))).toEqual([]);

      pane.press('enter');
      check();
      expect(pane.text()).toMatch(/You have read the hand/);
      expect(pane.text()).not.toContain('point 3');
      pane.press('too short', 'enter');
      expect(calls(pane, 'acknowledgeHandoff')).toEqual([]);
      pane.press(' no more', 'enter');
      await pane.settle();
      expect(calls(pane, 'acknowledgeHandoff')).toEqual([['/repo', digest, 'too short no more']]);

      check();
      expect(pane.text()).toMatch(/Dissolve the handoff/);
      expect(pane.text()).toMatch(/^>$/m);
      expect(pane.text()).not.toMatch(/034|ab12|hush|too short/);
      pane.press('34', 'enter');
      await pane.settle();
      expect(calls(pane, 'dissolveHandoff')).toEqual([['/repo', digest, '34']]);
      expect(pane.text()).toContain('Handoff gate');
      if (columns >= 80) expect(pane.text()).toContain(`archived, not committed: ${archive}`);
    },
  );

  it('a wrong value: one constant line, the text from its top, the field empty the next time', async () => {
    const pane = await openReaderOf();
    const texts: string[] = [];
    for (const value of ['35', '33', '0x22', digest.slice(0, 11), 'f'.repeat(64)]) {
      await toValue(pane);
      expect(pane.text()).toMatch(/^>$/m);
      pane.press(value, 'enter');
      await pane.settle();
      texts.push(pane.text());
      expect(pane.text()).toContain(wrongValue);
      expect(pane.text()).toContain('# Cycle 034 handoff');
      pane.press('enter');
      expect(pane.text()).toContain('read it to its last line first');
    }
    expect(new Set(texts.map((each) => each.replace(/\d+[smhd]\b/g, '')))).toHaveProperty('size', 1);
    expect(pane.drawing().ui.reader?.machine).toMatchObject({ step: 'reading', top: 0 });
  });

  it.each([
    ['reading', []],
    ['acknowledging', ['end', 'enter', 'half a sent']],
    ['typing', ['end', 'enter', 'tab']],
  ])('escape while %s leaves it armed, and says so', async (_step, keys) => {
    const pane = await openReaderOf();
    pane.press(...keys);
    await pane.settle();
    pane.press('escape');
    expect(pane.text()).toContain('the handoff stays armed');
    expect(calls(pane, 'dissolveHandoff')).toEqual([]);
    expect(pane.drawing().ui.reader).toBeNull();
  });

  it('the prepared acknowledgement is one key, and keys under way are no value', async () => {
    const pane = await openReaderOf();
    pane.press('end', 'enter', 'tab', '34', 'enter');
    expect(calls(pane, 'acknowledgeHandoff')).toEqual([['/repo', digest, 'read, nothing to carry over']]);
    expect(pane.text()).toContain('one moment');
    pane.pass(settleMs);
    pane.resize(100, 30);
    expect(pane.text()).toMatch(/^>$/m);
    expect(calls(pane, 'dissolveHandoff')).toEqual([]);
    await pane.settle();
    pane.paste('34\n');
    pane.press('enter');
    await pane.settle();
    expect(calls(pane, 'dissolveHandoff')).toEqual([['/repo', digest, '34']]);
  });

  it('an acknowledgement that cannot be recorded leads back to the text', async () => {
    const pane = await openReaderOf({
      acknowledge: () => 'the handoff could not be archived below cycles/ (EROFS); it is still armed',
    });
    await toValue(pane);
    expect(pane.text()).toContain('(EROFS)');
    expect(pane.text()).toContain('# Cycle 034 handoff');
  });

  it('a file that changes under the reader is read again from its top; one that vanishes closes it', async () => {
    let content = shown();
    const pane = await openReaderOf({ content: () => content });
    await toValue(pane);
    content = shown(`# Cycle 035 handoff\n\n- another one\n`, 'cd34'.repeat(16));
    const again = (): void =>
      pane.feed.push({ ...pane.feed.current(), handoffs: [{ tree: '/repo', armed: true, age_s: 0 }] });
    again();
    await pane.settle();
    expect(pane.text()).toContain('it changed on disk: read it again');
    expect(pane.text()).toContain('- another one');
    await toValue(pane);
    pane.press('34', 'enter');
    await pane.settle();
    expect(calls(pane, 'dissolveHandoff')).toEqual([['/repo', 'cd34'.repeat(16), '34']]);

    pane.press('g', 'g', 'enter');
    await pane.settle();
    content = { kind: 'refused', message: 'no handoff is armed in this tree' };
    again();
    await pane.settle();
    expect(pane.drawing().ui.reader).toBeNull();
    expect(pane.text()).toContain('no handoff is armed in this tree');
  });

  it('a resize starts the reading again; a screen too small to read in lets nobody past', async () => {
    const pane = await openReaderOf();
    pane.press('end');
    pane.resize(90, 28);
    pane.press('enter');
    expect(pane.text()).toContain('read it to its last line first');
    for (const [columns, rows] of [
      [12, 30],
      [5, 20],
      [80, 1],
      [1, 1],
    ] as const) {
      pane.resize(columns, rows);
      pane.press('end', 'pagedown', 'enter');
      expect(pane.drawing().ui.reader?.machine.step).toBe('reading');
      expect(pane.lines()).toHaveLength(rows - 1);
    }
    for (let rows = 2; rows < 30; rows += 1) {
      pane.resize(20, rows);
      expect(pane.lines()).toHaveLength(rows - 1);
      pane.press('end');
      expect(pane.text()).toContain('the very last line');
      pane.press('enter');
      expect(pane.drawing().ui.reader?.machine.step).toBe('acknowledge');
      pane.resize(40, 12);
      pane.press('escape', 'enter');
      await pane.settle();
    }
  });

  it('several armed trees: each has its own reader, and what is typed belongs to the one that was read', async () => {
    const trees = ['/repo', '/repo/.chipset/worktrees/polecat-alpha'];
    const view = { ...busyView(), handoffs: trees.map((tree) => ({ tree, armed: true, age_s: 60 })) };
    let asked = '';
    const pane = open({ view, content: () => shown(text.replace('034', asked), digest, asked) });
    expect(pane.text()).toMatch(/handoff armed 1m repo \+1/);
    for (const [index, tree] of trees.entries()) {
      asked = tree;
      pane.press('escape', 'escape', 'g', 'home', ...Array<string>(index).fill('down'), 'enter');
      await pane.settle();
      expect(pane.text()).toContain(`Handoff in ${tree.replace('/repo/', '')} `);
      await toValue(pane);
      pane.press('34', 'enter');
      await pane.settle();
      expect(calls(pane, 'dissolveHandoff').at(-1)).toEqual([tree, digest, '34']);
    }
  });

  it('leaving while the gate is at work does not claim that it stays armed; the answer is told', async () => {
    let answer: (value: { kind: 'done'; archive: string }) => void = () => {};
    const trees = ['/repo', '/other'];
    const view = { ...busyView(), handoffs: trees.map((tree) => ({ tree, armed: true, age_s: 60 })) };
    let asked = '/repo';
    const pane = open({ view, content: () => shown(text, digest, asked) });
    pane.actions.dissolveHandoff = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    pane.press('g', 'enter');
    await pane.settle();
    await toValue(pane);
    pane.press('34', 'enter', 'escape');
    expect(pane.text()).toContain('the answer follows');
    expect(pane.text()).not.toContain('stays armed');
    // Another handoff that is being read meanwhile is none of this answer's business.
    asked = '/other';
    pane.press('down', 'enter');
    await pane.settle();
    answer({ kind: 'done', archive });
    await pane.settle();
    expect(pane.text()).toContain('Handoff in /other');
    pane.press('escape');
    expect(pane.drawing().ui.message?.text).toBe('the handoff stays armed');
  });

  it('shows what would act on the terminal or hide as marks, and loses no character', async () => {
    const hostile = [
      'esc \u001b[31mred\u001b]0;title\u0007 end',
      'bidi \u202eevil\u2066 zero\u200bwidth \u{e0041}tag \ufe0fselector \u3164filler',
      '👨‍👩‍👧 👍🏽 ❤️ z\u0301\u0302\u0303\u0304algo 修复登录重定向和会话存储的问题',
      `${'x'.repeat(500)} ${'word '.repeat(80)}end-of-line`,
    ].join('\n');
    const content = () => shown(`# Cycle 034 handoff\n${hostile}\n`);
    const pane = await openReaderOf({ content, columns: 40, rows: 12 });
    let all = '';
    for (let step = 0; step < 60; step += 1) {
      for (const line of pane.lines()) {
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\p{Cf}]/u);
        expect(displayWidth(line)).toBeLessThanOrEqual(40);
      }
      all += pane.text();
      pane.press('j');
    }
    for (const mark of ['␛[31mred␛]0;title␇ end', '‹202e›evil', '‹200b›', '‹e0041›', '‹3164›', 'end-of-line']) {
      expect(all.replace(/\n ?/g, '')).toContain(mark);
    }
    const lines = visibleLines(hostile);
    const squeeze = (texts: readonly string[]): string => texts.join('').replaceAll(' ', '');
    for (const width of [20, 33, 80]) {
      const wrapped = wrapPage(lines.slice(0, 2).concat(lines.slice(3)), width);
      expect(squeeze(wrapped)).toBe(squeeze(lines.slice(0, 2).concat(lines.slice(3))));
      for (const line of wrapped) expect(displayWidth(line)).toBeLessThanOrEqual(width - 2);
    }
    // A megabyte in one line is wrapped in its length, not in its square.
    expect(wrapPage(['é'.repeat(500_000)], 80)).toHaveLength(Math.ceil(500_000 / 78));
  });
});

describe('the handoff in lines for screen readers (seed 002)', () => {
  it('the same steps: each line once, the end told, two prompts, and no value spoken', async () => {
    let spoken = silence;
    const heard: string[] = [];
    const pane = open({ rows: 24 });
    const listen = (): string => {
      const next = sentences(spoken, pane.drawing());
      spoken = next.spoken;
      heard.push(...next.lines);
      return next.lines.join('\n');
    };
    listen();
    expect(heard.join('\n')).toMatch(/handoff armed in repo/);
    pane.press('g');
    expect(listen()).toMatch(/armed for 2h .*\/repo/);
    pane.press('down');
    expect(listen()).toMatch(/Selected .*crew-me asked 2m ago to dissolve/);
    pane.press('up');
    listen();
    expect(heard.join('\n')).not.toMatch(/034|hush|ab12/);

    heard.length = 0;
    pane.press('enter');
    await pane.settle();
    expect(listen()).toMatch(/^Handoff in \/repo\. space: next page; /);
    pane.press('enter');
    expect(listen()).toBe('read it to its last line first.');
    for (let page = 0; page < 10; page += 1) {
      pane.press('space');
      listen();
    }
    const lines = visibleLines(text);
    expect(heard.filter((line) => line.startsWith('| '))).toEqual(
      lines.map((line) => `| ${line}`.trim()).filter((line) => line !== '|'),
    );
    expect(heard.filter((line) => line.startsWith('read to its last line'))).toHaveLength(1);

    heard.length = 0;
    pane.press('enter');
    expect(listen()).toMatch(/^You have read the handoff in \/repo\..*\nWhat do you carry over from it\?/);
    pane.press('I carry the parser over', 'enter');
    expect(listen()).toMatch(/^Dissolve the handoff in \/repo\..*\nType what only its text tells/);
    await pane.settle();
    pane.press('35', 'enter');
    await pane.settle();
    expect(listen()).toMatch(new RegExp(`^${wrongValue}\\.\nHandoff in /repo\\.`));
    await toValue(pane);
    pane.press('escape');
    expect(listen()).toContain('the handoff stays armed');
    expect(heard.join('\n')).not.toMatch(/\b35\b|ab12/);
  });
});

describe('wishes of agents', () => {
  it('a town without any says nothing of them', () => {
    const pane = open({ view: fakeView({ handoffs: [{ tree: '/repo', armed: false, age_s: null }] }) });
    expect(pane.text()).not.toContain('to dissolve');
    pane.press('g', 'enter');
    expect(pane.text()).toContain('no handoff is armed in this tree');
    expect(calls(pane, 'readHandoff')).toEqual([]);
  });
});
