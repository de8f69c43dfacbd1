/** The metrics and learning screens: what was measured is shown, and a human decides (seed 001; issue 3, items 9 and 10). */
import { describe, expect, it } from 'vitest';
import { recordActions } from './support/fake-town.ts';
import { openPane } from './support/open-pane.ts';

const sizes = [
  [60, 16],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

describe('the metrics screen', () => {
  it.each(sizes)('shows the four metrics with a sparkline at %i by %i', async (columns, rows) => {
    const pane = openPane({ columns, rows });
    pane.press('M');
    expect(pane.text()).toContain('reading the samples');
    await pane.settle();
    expect(pane.text()).toContain('gupp_response_time_seconds');
    expect(pane.text()).toMatch(/polecat-alpha +claude +last/);
    if (columns >= 80) expect(pane.text()).toMatch(/n +4 +▁▁▂█/);
    const seen = [pane.text()];
    for (let page = 0; page < 5; page += 1) {
      pane.press('pagedown');
      seen.push(pane.text());
    }
    const all = seen.join('\n');
    for (const name of ['gupp_nudge_effective', 'gupp_strategy_success_rate', 'gupp_stalls_per_session'])
      expect(all).toContain(name);
    if (columns >= 80) expect(all).toContain('claude: median response 19.5 s, ideal is under 10 s');
    expect(all).toContain('Agents: 6');
    pane.press('escape');
    expect(pane.text()).not.toContain('gupp_');
    pane.close();
  });

  it('draws its bars in seven bits in ASCII mode', async () => {
    const pane = openPane({ env: { GASTOWN_ASCII: '1' } });
    pane.press('M');
    await pane.settle();
    expect(pane.text()).toMatch(/n +4 +\.\.\.#/);
    expect(pane.text()).toContain('(hook set -> first work)');
    pane.close();
  });
});

describe('the learning screen', () => {
  it.each(sizes)('shows proposals with their evidence at %i by %i', async (columns, rows) => {
    const pane = openPane({ columns, rows });
    pane.press('L');
    await pane.settle();
    expect(pane.text()).toContain('claude stall_detection 120 → 150');
    if (rows >= 24) expect(pane.text()).toContain('evidence  nudges 14, nudge_effective 0.36, stalls_per_session 1.4');
    pane.close();
  });

  it('accepts after a question, rejects at once, and reads the measurements again', async () => {
    const pane = openPane();
    pane.press('L');
    await pane.settle();
    pane.press('a');
    expect(pane.text()).toContain('Accept claude stall_detection 120 → 150?');
    expect(pane.actions.calls.map(({ name }) => name)).toEqual(['measures']);
    pane.press('y');
    await pane.settle();
    expect(pane.actions.calls.slice(1)).toEqual([
      { name: 'decide', args: ['threshold-tuning-claude-150', 'accept'] },
      { name: 'measures', args: [] },
    ]);
    pane.press('x');
    await pane.settle();
    expect(pane.actions.calls.at(-2)).toEqual({ name: 'decide', args: ['threshold-tuning-claude-150', 'reject'] });
    pane.close();
  });

  it('offers nothing for what was decided already, and nothing where nothing is proposed', async () => {
    const pane = openPane();
    pane.press('L');
    await pane.settle();
    pane.press('j', 'a');
    await pane.settle();
    expect(pane.text()).toContain('it was rejected already');
    expect(pane.actions.calls.map(({ name }) => name)).toEqual(['measures']);
    pane.close();
    const empty = openPane({ actions: recordActions(undefined, { measures: { lines: [], proposals: [] } }) });
    empty.press('L');
    await empty.settle();
    expect(empty.text()).toContain('Nothing to propose yet');
    empty.press('a');
    expect(empty.text()).toContain('nothing is proposed');
    empty.close();
  });

  it('shows the refusal of an acceptance that would not take effect', async () => {
    const actions = recordActions(async () => ({ kind: 'failed', why: 'another setting outranks it' }));
    const pane = openPane({ actions });
    pane.press('L');
    await pane.settle();
    pane.press('a', 'y');
    await pane.settle();
    expect(pane.text()).toContain('another setting outranks it');
    pane.close();
  });
});
