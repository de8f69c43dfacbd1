/** Every event of the real Codex, and the session record and the row after each (issue 4: done when, 1). */
import { describe, expect, it } from 'vitest';
import { agentId } from '../../events/support/event-town.ts';
import { realEvents } from '../../events/support/real-events.ts';
import { busyOn, shows } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

describe('the events of the real Codex', () => {
  const open = realEvents('codex');

  it('start, prompt, tool, stop gate, interrupt, compaction, clear, exit and resume', async () => {
    const real = await open({
      turns: [shellTurn('codex', 'echo one'), { text: 'ONE-DONE' }, { text: 'ONE-STILL-DONE' }, { hang: 'stream' }],
      default: { text: 'LATER-ANSWER' },
    });
    const { store, lab, session, row } = real;
    await real.assign();
    const pane = await real.start({ permissions: 'full', strategy: 'prompt_preamble', firstPrompt: 'begin please' });

    // SessionStart comes with the first prompt.
    await real.event('SessionStart');
    await real.event('UserPromptSubmit');
    const first = session().session_id;
    await real.event('PreToolUse');
    expect(store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
    expect(row().state).toBe('working');
    await real.event('PostToolUse');
    await real.event('Stop', 2);
    expect(session()).toMatchObject({ status: 'asking', governed: true });
    expect(session().note).toContain('ONE-STILL-DONE');
    expect(row()).toMatchObject({ state: 'asking', detail: expect.stringContaining('ONE-STILL-DONE') });
    const blocked = (await lab.model.turns())[2];
    expect(JSON.stringify(blocked?.body).includes('stop not declared')).toBe(true);
    await real.finish();
    await real.ready(pane);

    await real.submit(pane, 'hang on');
    await real.event('UserPromptSubmit', 2);
    expect(session()).toMatchObject({ status: 'active', note: null });
    expect(row()).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
    await pane.until('busy', (screen) => busyOn(screen, lab.runtime.descriptor.screen));
    await pane.keys('Escape');
    await real.event('Interrupt');
    expect(session()).toMatchObject({ status: 'idle' });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
    await real.ready(pane);

    await real.submit(pane, '/compact');
    await real.event('PreCompact');
    await real.event('PostCompact');
    expect(session().session_id).toBe(first);
    await real.ready(pane);

    await real.submit(pane, '/clear');
    await real.ready(pane);
    await real.submit(pane, 'again');
    const cleared = await real.event('SessionStart', 1, (event) => event.payload['source'] === 'clear');
    expect(cleared.payload['session_id']).not.toBe(first);
    await real.event('Stop', 3);
    expect(session()).toMatchObject({ session_id: cleared.payload['session_id'], status: 'idle' });
    expect(real.agent()).toMatchObject({ previous_sessions: [first] });
    const bodies = (await lab.model.requests()).map((request) => JSON.stringify(request.body));
    expect(bodies.some((body) => body.includes('again') && body.includes('[gastown'))).toBe(true);

    await real.ready(pane);
    await real.submit(pane, '/quit');
    await pane.ended();
    await real.event('SessionEnd', 1, (event) => event.payload['session_id'] === cleared.payload['session_id']);
    expect(session().ended_at).not.toBeNull();

    // Resumed it says so with its first prompt, as at its start.
    const next = await real.start({ resume: session().session_id, permissions: 'full' });
    await real.ready(next);
    await real.submit(next, 'go on');
    await real.event('SessionStart', 1, (event) => event.payload['source'] === 'resume');
    await real.event('Stop', 4);
    expect(session()).toMatchObject({ session_id: cleared.payload['session_id'], ended_at: null, status: 'idle' });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });

  it('a permission prompt is listed until it is answered', async () => {
    const escalated = { cmd: 'true', sandbox_permissions: 'require_escalated', justification: 'need it' };
    const real = await open({ turns: [{ tool: 'exec_command', args: escalated }, { text: 'ALLOWED' }] });
    const { session, row } = real;
    const pane = await real.start({ strategy: 'prompt_preamble', firstPrompt: 'begin please' });
    await real.event('PermissionRequest');
    expect(session()).toMatchObject({
      status: 'active',
      permission: { tool: 'Bash', what: 'true' },
    });
    expect(row()).toMatchObject({ state: 'dialog', detail: expect.stringMatching(/^permission: Bash true/) });
    await real.answer(pane, 'permission', 'Enter');
    await real.event('PostToolUse');
    expect(session().permission).toBeNull();
    await real.event('Stop');
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });

  it('a subagent counts as life and never flips its parent; its end is seen', async () => {
    const real = await open({
      queues: [{ match: 'SUBAGENT-PROMPT-XYZ(?!.*function_call)', turns: [shellTurn('codex', 'echo sub')] }],
      turns: [{ tool: 'spawn_agent', namespace: 'multi_agent_v1', args: { message: 'SUBAGENT-PROMPT-XYZ do it' } }],
      default: { text: 'LATER-ANSWER' },
    });
    const { session } = real;
    await real.start({ permissions: 'full', strategy: 'prompt_preamble', firstPrompt: 'begin please' });
    await real.event('SubagentStart');
    await real.event('PreToolUse', 1, (event) => Boolean(event.payload['agent_id']));
    await real.event('SubagentStop');
    await real.event('Stop', 1, (event) => !event.payload['agent_id']);
    expect(session()).toMatchObject({ status: 'idle', subagents: [] });
  });

  it('its question tool sets asking with the question, and the answer ends it', async () => {
    const question = {
      id: 'color',
      header: 'Color',
      question: 'Which "color" — 漢?',
      options: [
        { label: 'Red', description: 'warm' },
        { label: 'Blue', description: 'cold' },
      ],
    };
    const real = await open({
      turns: [
        { text: 'HELLO' },
        { tool: 'request_user_input', args: { questions: [question] } },
        { text: 'RED-IT-IS' },
      ],
    });
    const { session, row } = real;
    const pane = await real.start({ strategy: 'prompt_preamble', firstPrompt: 'begin please' });
    await real.event('Stop');
    await real.ready(pane);
    await real.submit(pane, '/plan');
    await real.ready(pane);
    await real.submit(pane, 'ask me');
    await real.event('PreToolUse');
    expect(session()).toMatchObject({ status: 'asking', note: question.question });
    expect(row()).toMatchObject({ state: 'asking', detail: question.question });
    await pane.until('the question', shows('Red'));
    await pane.answer('Enter', shows('1/1 answered'));
    await real.event('PostToolUse');
    expect(['active', 'idle']).toContain(session().status);
    await real.event('Stop', 2);
    expect(session()).toMatchObject({ status: 'idle', note: null });
  });
});
