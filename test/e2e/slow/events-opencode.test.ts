/** The events of the real opencode through its plugin, and the session record after each (issue 4: done when, 1). */
import { describe, expect, it } from 'vitest';
import { agentId } from '../../events/support/event-town.ts';
import { realEvents } from '../../events/support/real-events.ts';
import { busyOn } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

describe('the events of the real opencode', () => {
  const open = realEvents('opencode');

  it('start, prompt, tool, stop gate and interrupt', { timeout: 600_000 }, async () => {
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

  it('a permission prompt is listed until it is answered', { timeout: 600_000 }, async () => {
    const real = await open({ turns: [shellTurn('opencode', 'touch allowed'), { text: 'ALLOWED' }] });
    const { session, row } = real;
    const pane = await real.start({ env: { OPENCODE_PERMISSION: '{"bash":"ask"}' } });
    await real.ready(pane, 300);
    await real.submit(pane, 'touch it');
    await real.event('permission.asked');
    expect(session()).toMatchObject({ status: 'active', permission: { tool: 'bash' } });
    expect(row()).toMatchObject({ state: 'dialog', detail: expect.stringContaining('permission: ') });
    await real.answer(pane, 'permission', 'Enter');
    await real.event('tool.execute.after');
    expect(session().permission).toBeNull();
    await real.event('session.idle');
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });

  it('its question tool sets asking with the question, and the answer ends it', { timeout: 600_000 }, async () => {
    const question = {
      question: 'Which "color" — 漢?',
      header: 'Color',
      options: [
        { label: 'Red', description: 'warm' },
        { label: 'Blue', description: 'cold' },
      ],
    };
    const real = await open({ turns: [{ tool: 'question', args: { questions: [question] } }, { text: 'RED-IT-IS' }] });
    const { session, row } = real;
    const pane = await real.start({ permissions: 'full' });
    await real.ready(pane, 300);
    await real.submit(pane, 'ask me');
    await real.event('tool.execute.before', 1, (event) => event.payload['tool'] === 'question');
    expect(session()).toMatchObject({ status: 'asking', note: question.question });
    expect(row()).toMatchObject({ state: 'asking', detail: question.question });
    await pane.until('the question', (screen) => screen.lines.join('\n').includes('Red'));
    await pane.answer('Enter', () => real.seen().some(({ words }) => words.startsWith('tool.execute.after')));
    await real.event('session.idle');
    expect(session()).toMatchObject({ status: 'idle', note: null });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });

  it('a subagent counts as life and never flips its parent; its end is seen', { timeout: 600_000 }, async () => {
    const task = { description: 'sub job', prompt: 'SUBAGENT-PROMPT do it', subagent_type: 'general' };
    const real = await open({
      routes: [{ match: 'SUBAGENT-PROMPT', turn: { text: 'SUB-DONE', delay_ms: 1_500 }, times: 1 }],
      turns: [{ tool: 'task', args: task }, { text: 'MAIN-END' }],
      default: { text: 'LATER' },
    });
    const { session, row } = real;
    const pane = await real.start({ permissions: 'full' });
    await real.ready(pane, 300);
    await real.submit(pane, 'delegate it');
    const begun = await real.event('subagent.start');
    expect(begun.payload['subagent']).not.toBe(begun.payload['session_id']);
    expect(session()).toMatchObject({ session_id: begun.payload['session_id'], status: 'active' });
    await real.event('subagent.end');
    await real.event('session.idle');
    expect(session()).toMatchObject({ status: 'idle' });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });

  it('compaction, a new session, exit and resume', { timeout: 900_000 }, async () => {
    const real = await open({ turns: [{ text: 'ONE-DONE' }], default: { text: 'LATER-ANSWER' } });
    const { store, lab, session, row } = real;
    const pane = await real.start({ permissions: 'full' });
    await real.ready(pane, 300);
    await real.submit(pane, 'begin please');
    await real.event('session.idle');
    const first = session().session_id;
    await real.ready(pane);

    await lab.deliver(pane, '/compact');
    await real.event('session.compacting');
    await real.event('session.compacted');
    expect(session().session_id).toBe(first);
    await real.ready(pane);

    await lab.deliver(pane, '/new');
    await real.ready(pane);
    await real.submit(pane, 'something else');
    const cleared = await real.event('session.created', 1, (event) => event.payload['source'] === 'clear');
    expect(cleared.payload['session_id']).not.toBe(first);
    await real.event('session.idle', 1, (event) => event.payload['session_id'] === cleared.payload['session_id']);
    expect(session().session_id).toBe(cleared.payload['session_id']);
    expect(store.agents.read(agentId)).toMatchObject({ value: { previous_sessions: [first] } });
    await real.ready(pane);

    // It has no event for its own end: the runner of the pane tells of that.
    await lab.deliver(pane, '/exit');
    expect(await pane.ended(60)).toBe(0);
    const next = await real.start({ resume: session().session_id, permissions: 'full' });
    await real.ready(next, 300);
    await real.submit(next, 'go on');
    await real.event('chat.message', 1, (event) => JSON.stringify(event.payload).includes('go on'));
    expect(session()).toMatchObject({ session_id: cleared.payload['session_id'], ended_at: null });
    await real.event('session.idle', 2, (event) => event.payload['session_id'] === cleared.payload['session_id']);
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });
});
