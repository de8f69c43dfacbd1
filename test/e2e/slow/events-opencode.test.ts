/** The events of the real opencode through its plugin, and the session record after each (issue 4: done when, 1). */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { opencodePlugin } from '../../../src/runtimes/opencode/plugin.ts';
import { changeHook } from '../../../src/store/hooks.ts';
import { agentId, removeScratch } from '../../events/support/event-town.ts';
import { openRealEvents, type RealEvents } from '../../events/support/real-events.ts';
import { busyOn, readyOn, shows } from '../../support/real-runtimes/marks.ts';
import type { Pane } from '../../support/real-runtimes/pane.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

let real: RealEvents | undefined;
afterEach(async () => {
  await real?.close();
  real = undefined;
});
afterAll(removeScratch);

describe('the events of the real opencode', () => {
  it('start, prompt, tool, stop gate and interrupt', { timeout: 600_000 }, async () => {
    real = await openRealEvents('opencode', {
      scenario: {
        turns: [shellTurn('opencode', 'echo one'), { text: 'ONE-DONE' }, { text: 'ONE-STILL-DONE' }],
        default: { text: 'LATER-ANSWER', delay_ms: 60_000 },
      },
    });
    const { store, lab, session } = real;
    const folder = join(lab.home, '.config', 'opencode', 'plugin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'gastown.js'), opencodePlugin);
    const marks = lab.runtime.descriptor.screen;
    const ready = (pane: Pane, seconds = 60) =>
      pane.until('ready', (screen) => readyOn(screen, marks) && !busyOn(screen, marks), seconds);
    const set = { op: 'set', bead_id: 'gt-abc12', title: 'Paint the door' } as const;
    await changeHook(store, agentId, set, { kind: 'operator' }, Date.now());
    const pane = await real.start({ permissions: 'full' });
    // A first start in a fresh home takes its time.
    await ready(pane, 300);
    await pane.paste('begin please');
    await pane.until('pasted', shows('begin please'));
    await pane.keys('Enter');

    await real.event('session.created');
    await real.event('chat.message');
    await real.event('tool.execute.before');
    expect(store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
    await real.event('tool.execute.after');
    await real.event('session.idle', 1);
    await real.event('chat.message', 1, (event) => JSON.stringify(event.payload).includes('stop not declared'));
    await real.event('session.idle', 2);
    expect(session()).toMatchObject({ status: 'asking', governed: true });
    await changeHook(store, agentId, { op: 'complete' }, { kind: 'agent', agent_id: agentId }, Date.now());
    await ready(pane);

    await pane.paste('hang on');
    await pane.until('pasted', shows('hang on'));
    await pane.keys('Enter');
    await real.event('chat.message', 1, (event) => JSON.stringify(event.payload).includes('hang on'));
    expect(session()).toMatchObject({ status: 'active', note: null });
    await pane.until('busy', (screen) => busyOn(screen, marks));
    await pane.keys('Escape');
    await pane.keys('Escape');
    await real.event('session.error');
    expect(session()).toMatchObject({ status: 'idle' });
  });
});
