/** An execution mode in the row and in the detail, and its key once it runs. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ModeStatus } from '../../src/domain/mode/record.ts';
import { fakeAgent, fakeView } from './support/fake-town.ts';
import { type OpenPane, openPane } from './support/open-pane.ts';

const panes: OpenPane[] = [];
afterEach(() => {
  for (const pane of panes.splice(0)) pane.close();
});

const ralph: ModeStatus = {
  mode: 'ralph',
  session_id: 's-1',
  run_id: 'run-1',
  active: true,
  iteration: 3,
  max_iterations: 100,
  phase: 'story',
  story: 'US-002 2/3',
  budget: 97,
  detail: 'next prompt waits',
};

const openWith = (modes: readonly ModeStatus[]): OpenPane => {
  const pane = openPane({ view: fakeView({ agents: [fakeAgent('polecat-alpha', { state: 'working', modes })] }) });
  panes.push(pane);
  return pane;
};

describe('a mode in the control pane', () => {
  it('its iteration and story stand in the row; phase, budget and what it waits for in the detail', () => {
    const text = openWith([ralph]).text();
    expect(text).toMatch(/polecat-alpha.*ralph 3\/100 US-002 2\/3/);
    expect(text).toMatch(/mode\s+ralph 3\/100 . story . US-002 2\/3 . 97 left . next prompt waits/);
  });

  it('one that failed is shown until it is cancelled away', () => {
    const over = { ...ralph, active: false, detail: 'failed: rejected 3 times' };
    expect(openWith([over]).text()).toMatch(/mode\s+ralph is over .* failed: rejected 3 times/);
  });

  it('the key cancels what runs, after a question', async () => {
    const pane = openWith([ralph]);
    pane.press('a');
    expect(pane.text()).toContain('Cancel ralph of polecat-alpha?');
    pane.press('y');
    await pane.settle();
    expect(pane.actions.calls).toEqual([{ name: 'cancelModes', args: ['polecat-alpha'] }]);
  });
});
