import { describe, expect, it } from 'vitest';
import { readLook } from '../../src/tui/terminal/look.ts';
import { busyView, fakeAgent, fakeNow, fakeView } from './support/fake-town.ts';
import { openPane } from './support/open-pane.ts';

describe('field report 53: colour, ASCII and terminals that can do little', () => {
  it('sends no colour with NO_COLOR, and still tells states apart by sign and word', () => {
    const pane = openPane({ env: { NO_COLOR: '1' } });
    expect(pane.lines().join('')).not.toContain('\u001b');
    expect(pane.text()).toMatch(/▌ \? polecat-bravo +asking/);
    pane.close();
    const coloured = openPane({ env: { NO_COLOR: '' } });
    expect(coloured.lines().join('')).toContain('\u001b[1;31masking');
    coloured.close();
  });

  it('sends seven bits only in ASCII mode, whatever the titles are', () => {
    for (const keys of [[], ['?'], ['n', 'ü'], [':'], ['s'], ['M'], ['g'], ['b'], ['p']]) {
      const pane = openPane({ env: { GASTOWN_ASCII: '1' } });
      pane.press(...keys);
      for (const line of pane.lines()) expect(line).toMatch(/^[\u001b\x20-\x7e]*$/);
      pane.close();
    }
  });

  it('speaks instead of drawing for screen readers and dumb terminals', () => {
    expect(readLook({ TERM: 'dumb' })).toMatchObject({ mode: 'lines', colour: false });
    expect(readLook({ INK_SCREEN_READER: 'true' }).mode).toBe('lines');
    expect(readLook({ GASTOWN_SCREEN_READER: '1' }).mode).toBe('lines');
    expect(readLook({ CI: 'true', TERM: 'xterm' })).toMatchObject({ mode: 'screen', colour: true });
  });
});

describe('DESIGN section 9: nothing is drawn when no visible text changes', () => {
  it('gives the same lines for the same town, until an age reads differently', () => {
    const view = fakeView({
      agents: [fakeAgent('polecat-alpha', { state: 'working', activity_at: fakeNow - 12_000 })],
    });
    const pane = openPane({ view });
    const before = pane.lines();
    pane.pass(2_000);
    pane.resize(100, 30);
    expect(pane.lines()).toEqual(before);
    pane.pass(2_000);
    pane.resize(100, 30);
    expect(pane.lines()).not.toEqual(before);
    pane.close();
  });

  it('keeps the identity of painted rows, so that only changed rows are made again', () => {
    const pane = openPane({ view: busyView() });
    const before = pane.lines();
    const view = pane.feed.current();
    pane.feed.push({
      ...view,
      agents: view.agents.map((agent, index) => (index === 0 ? { ...agent, nudges: 7 } : agent)),
    });
    pane.resize(100, 30);
    const changed = pane.lines().filter((line, row) => line !== before[row]);
    expect(changed.length).toBeLessThanOrEqual(1);
    pane.close();
  });
});
