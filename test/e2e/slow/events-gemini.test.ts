/** Every event of the real Gemini CLI, and the session record after each (issue 4: done when, 1). */
import { describe, expect, it } from 'vitest';
import { agentId } from '../../events/support/event-town.ts';
import { realEvents } from '../../events/support/real-events.ts';
import { busyOn } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

describe('the events of the real Gemini CLI', () => {
  const open = realEvents('gemini');

  it('start, prompt, tool, stop gate, clear, exit and resume', async () => {
    const real = await open({
      turns: [shellTurn('gemini', 'echo one'), { text: 'ONE-DONE' }, { text: 'ONE-STILL-DONE' }],
      default: { text: 'LATER-ANSWER' },
    });
    const { store, lab, session, row } = real;
    await real.assign();
    const pane = await real.start({ permissions: 'full' });
    await real.event('SessionStart');
    const first = session().session_id;
    expect(session()).toMatchObject({ governed: true, status: 'idle' });
    await real.ready(pane);

    await real.submit(pane, 'begin please');
    await real.event('BeforeAgent');
    await real.event('BeforeTool');
    expect(store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
    await real.event('AfterTool');
    // The reason of the block comes back as a prompt, and is not taken for one: it is asked for once.
    await real.event('AfterAgent', 2);
    expect(session()).toMatchObject({ status: 'asking' });
    expect(session().note).toContain('ONE-STILL-DONE');
    const bodies = (await lab.model.requests()).map((request) => JSON.stringify(request.body));
    expect(bodies.some((body) => body.includes('stop not declared'))).toBe(true);
    expect(row()).toMatchObject({ state: 'asking', detail: expect.stringContaining('ONE-STILL-DONE') });
    await real.finish();
    await real.ready(pane);

    await real.submit(pane, '/clear');
    const cleared = await real.event('SessionStart', 1, (event) => event.payload['source'] === 'clear');
    expect(cleared.payload['session_id']).not.toBe(first);
    expect(session().session_id).toBe(cleared.payload['session_id']);
    expect(store.agents.read(agentId)).toMatchObject({ value: { previous_sessions: [first] } });
    await real.ready(pane);
    await real.submit(pane, 'again');
    await real.event('AfterAgent', 3);
    const later = (await lab.model.requests()).map((request) => JSON.stringify(request.body));
    expect(later.some((body) => body.includes('again') && body.includes('[gastown'))).toBe(true);

    await real.ready(pane);
    await real.submit(pane, '/quit');
    await pane.ended();
    await real.event('SessionEnd', 1, (event) => event.payload['session_id'] === cleared.payload['session_id']);
    expect(session().ended_at).not.toBeNull();

    const next = await real.start({ resume: session().session_id, permissions: 'full' });
    await real.event('SessionStart', 1, (event) => event.payload['source'] === 'resume');
    expect(session()).toMatchObject({ session_id: cleared.payload['session_id'], ended_at: null, status: 'idle' });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
    await real.ready(next);
  });

  it('a compaction that was asked for is announced, and the session and its row stay; it has no event of its end', async () => {
    const real = await open({
      turns: [{ text: 'ONE-DONE' }],
      default: { text: '<state_snapshot>SHORT</state_snapshot>' },
    });
    const { session, row } = real;
    const pane = await real.start({ permissions: 'full' });
    await real.ready(pane);
    await real.submit(pane, 'begin please');
    await real.event('AfterAgent');
    const before = session();
    await real.ready(pane);
    await real.submit(pane, '/compress');
    const asked = await real.event('PreCompress', 1, (event) => event.payload['trigger'] === 'manual');
    expect(asked.payload['session_id']).toBe(before.session_id);
    await real.ready(pane);
    expect(session()).toMatchObject({ session_id: before.session_id, status: before.status, ended_at: null });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
    await real.submit(pane, 'and on');
    await real.event('BeforeAgent', 1, (event) => String(event.payload['prompt']).includes('and on'));
    await real.event('AfterAgent', 2);
    expect(session().session_id).toBe(before.session_id);
  });

  it('an interrupt ends the turn by its ordinary event', async () => {
    const real = await open({ turns: [{ hang: 'stream' }] });
    const { lab, session, row } = real;
    const pane = await real.start({ permissions: 'full' });
    await real.ready(pane);
    await real.submit(pane, 'hang on');
    await real.event('BeforeAgent', 1, (event) => String(event.payload['prompt']).includes('hang on'));
    expect(row()).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
    await pane.until('busy', (screen) => busyOn(screen, lab.runtime.descriptor.screen));
    await pane.keys('Escape');
    await real.event('AfterAgent');
    expect(session()).toMatchObject({ status: 'idle' });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });

  it('a permission prompt is listed until it is answered', async () => {
    const real = await open({ turns: [shellTurn('gemini', 'touch allowed'), { text: 'ALLOWED' }] });
    const { session, row } = real;
    const pane = await real.start();
    await real.ready(pane);
    await real.submit(pane, 'touch it');
    await real.event('Notification', 1, (event) => event.payload['notification_type'] === 'ToolPermission');
    expect(session()).toMatchObject({ status: 'active', permission: { tool: expect.any(String) } });
    expect(row()).toMatchObject({ state: 'dialog', detail: expect.stringContaining('permission: ') });
    await real.answer(pane, 'permission', 'Enter');
    await real.event('AfterTool');
    expect(session().permission).toBeNull();
    await real.event('AfterAgent');
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });

  it('its question tool sets asking with the question, and the answer ends it', async () => {
    const question = {
      header: 'Color',
      question: 'Which "color" — 漢?',
      type: 'choice',
      options: [
        { label: 'Red', description: 'warm' },
        { label: 'Blue', description: 'cold' },
      ],
    };
    const real = await open({ turns: [{ tool: 'ask_user', args: { questions: [question] } }, { text: 'RED-IT-IS' }] });
    const { session, row } = real;
    const pane = await real.start({ permissions: 'full' });
    await real.ready(pane);
    await real.submit(pane, 'ask me');
    await real.event('BeforeTool', 1, (event) => event.words.includes('ask_user'));
    expect(session()).toMatchObject({ status: 'asking', note: question.question });
    expect(row()).toMatchObject({ state: 'asking', detail: question.question });
    await pane.until('the question', (screen) => screen.lines.join('\n').includes('Red'));
    await pane.answer('Enter', () => real.seen().some(({ words }) => words === 'AfterTool ask_user'));
    await real.event('AfterAgent');
    expect(session()).toMatchObject({ status: 'idle', note: null });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });
});
