/** The events of the real opencode through its plugin, and the session record after each (issue 4: done when, 1). */
import { describe, expect, it } from 'vitest';
import { agentId } from '../../events/support/event-town.ts';
import { realEvents } from '../../events/support/real-events.ts';
import { busyOn } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

describe('the events of the real opencode', () => {
  const open = realEvents('opencode');

  it('start, prompt, tool, stop gate, interrupt and exit', { timeout: 600_000 }, async () => {
    const real = await open({
      turns: [shellTurn('opencode', 'echo one'), { text: 'ONE-DONE' }, { text: 'ONE-STILL-DONE' }],
      default: { text: 'LATER-ANSWER', delay_ms: 60_000 },
    });
    const { store, lab, session, row } = real;
    await real.assign();
    const pane = await real.start({ permissions: 'full' });
    // A first start in a fresh home takes its time.
    await real.ready(pane, 300);
    await real.submit(pane, 'begin please');

    await real.event('session.created');
    await real.event('chat.message');
    await real.event('tool.execute.before');
    expect(store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
    await real.event('tool.execute.after');
    await real.event('session.idle', 1);
    await real.event('chat.message', 1, (event) => JSON.stringify(event.payload).includes('stop not declared'));
    await real.event('session.idle', 2);
    expect(session()).toMatchObject({ status: 'asking', governed: true });
    expect(row()).toMatchObject({ state: 'asking' });
    await real.finish();
    await real.ready(pane);

    await real.submit(pane, 'hang on');
    await real.event('chat.message', 1, (event) => JSON.stringify(event.payload).includes('hang on'));
    expect(session()).toMatchObject({ status: 'active', note: null });
    expect(row()).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
    await pane.until('busy', (screen) => busyOn(screen, lab.runtime.descriptor.screen));
    // Twice, and not at once: two together are another key.
    await pane.answer('Escape', (screen) => !busyOn(screen, lab.runtime.descriptor.screen));
    await real.event('session.error');
    expect(session()).toMatchObject({ status: 'idle' });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });
});
