/** Every event of the real Claude Code, and the session record after each (issue 4: done when, 1 and 2). */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordInterrupt } from '../../../src/town/events/interrupted.ts';
import { promptSeen } from '../../../src/town/events/prompt-proof.ts';
import { declareState } from '../../../src/town/events/sessions.ts';
import { agentId } from '../../events/support/event-town.ts';
import { realEvents } from '../../events/support/real-events.ts';
import { until } from '../../support/private-tmux.ts';
import { busyOn } from '../../support/real-runtimes/marks.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

const id = '11111111-2222-4333-8444-555555555555';

describe('the events of the real Claude Code', () => {
  const open = realEvents('claude');

  it('start, prompt, tool, stop gate, question and answer, compaction, clear, exit and resume', async () => {
    const real = await open({
      turns: [
        shellTurn('claude', 'echo one'),
        { text: 'ONE-DONE' },
        { text: 'ONE-STILL-DONE' },
        {
          tool: 'AskUserQuestion',
          args: {
            questions: [
              {
                question: 'Which "color" — 漢?',
                header: 'Color',
                multiSelect: false,
                options: [
                  { label: 'Red', description: 'warm' },
                  { label: 'Blue', description: 'cold' },
                ],
              },
            ],
          },
        },
        { text: 'RED-IT-IS' },
        { text: 'AFTER-CLEAR' },
        { text: 'AFTER-RESUME' },
      ],
      default: { text: 'SUMMARY' },
    });
    const { store, lab, session, row } = real;
    await real.assign();

    const pane = await real.start({ session_id: id, permissions: 'full' });
    await real.event('SessionStart');
    expect(session()).toMatchObject({ session_id: id, governed: true, status: 'idle' });
    await real.ready(pane);

    // A prompt activates no hook, the first tool does; the stop without a declaration is asked for one, once.
    const since = Date.now();
    await real.submit(pane, 'begin please');
    await real.event('UserPromptSubmit');
    expect(promptSeen(store.paths, agentId, since)?.head).toBe('begin please');
    await real.event('PreToolUse');
    expect(store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
    await real.event('Stop', 2);
    expect(session()).toMatchObject({ status: 'asking' });
    expect(row()).toMatchObject({ state: 'asking', detail: expect.stringContaining('ONE-STILL-DONE') });
    expect(session().note).toContain('ONE-STILL-DONE');
    const [first, , third] = await lab.model.turns();
    expect(JSON.stringify(first?.body)).toContain('Paint the door');
    expect(JSON.stringify(third?.body)).toContain('stop not declared');
    await real.finish();
    await real.ready(pane);

    await real.submit(pane, 'ask me');
    await real.event('PreToolUse', 1, (event) => event.words.includes('AskUserQuestion'));
    expect(session()).toMatchObject({ status: 'asking', note: 'Which "color" — 漢?' });
    expect(row()).toMatchObject({ state: 'asking', detail: 'Which "color" — 漢?' });
    await real.answer(pane, 'question', 'Enter');
    await real.event('PostToolUse', 1, (event) => event.words.includes('AskUserQuestion'));
    expect(['active', 'idle']).toContain(session().status);
    await real.event('Stop', 3);
    expect(session()).toMatchObject({ status: 'idle', note: null, tool_use_id: null });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
    await real.ready(pane);

    await real.submit(pane, '/compact');
    await real.event('PreCompact');
    await real.event('SessionStart', 1, (event) => event.payload['source'] === 'compact');
    await real.event('PostCompact');
    expect(session()).toMatchObject({ session_id: id, governed: true, subagents: [] });
    await real.ready(pane);

    await real.submit(pane, '/clear');
    const cleared = await real.event('SessionStart', 1, (event) => event.payload['source'] === 'clear');
    expect(session().session_id).toBe(cleared.payload['session_id']);
    expect(session().session_id).not.toBe(id);
    expect(store.agents.read(agentId)).toMatchObject({ value: { previous_sessions: [id] } });
    expect(store.sessions.read(id)).toMatchObject({ value: { ended_at: expect.any(String) } });
    await real.ready(pane);
    await real.submit(pane, 'again');
    await real.event('Stop', 4);
    const bodies = (await lab.model.requests()).map((request) => JSON.stringify(request.body));
    expect(bodies.some((body) => body.includes('again') && body.includes('[gastown'))).toBe(true);

    await real.ready(pane);
    await real.submit(pane, '/exit');
    await pane.ended();
    await until('the end of the session', () => session().ended_at);

    const next = await real.start({ resume: session().session_id, permissions: 'full' });
    await real.event('SessionStart', 1, (event) => event.payload['source'] === 'resume');
    expect(session()).toMatchObject({ session_id: cleared.payload['session_id'], ended_at: null, status: 'idle' });
    await real.ready(next);
  });

  it('a parked session with a running subagent stays parked until its own next tool call', async () => {
    const wait = 'touch park-me; while [ ! -e parked ]; do sleep 0.1; done';
    const real = await open({
      queues: [
        {
          match: 'SUBAGENT-PROMPT-XYZ(?!.*tool_use)',
          turns: [shellTurn('claude', 'while [ ! -e go ]; do sleep 0.1; done; echo sub')],
        },
      ],
      routes: [
        {
          match: 'from-the-human(?!.*toolu)',
          turn: {
            tools: [
              {
                name: 'Agent',
                args: {
                  description: 'sub job',
                  prompt: 'SUBAGENT-PROMPT-XYZ do it',
                  subagent_type: 'general-purpose',
                },
              },
              { name: 'Bash', args: { command: wait, description: 'park' } },
            ],
          },
          times: 1,
        },
      ],
      default: { text: 'WAITING' },
    });
    const { store, lab, session, row } = real;
    const pane = await real.start({ session_id: id, permissions: 'full' });
    await real.ready(pane);
    await real.submit(pane, 'from-the-human');
    await until('the tool runs', () => existsSync(join(lab.cwd, 'park-me')), 60_000);
    await declareState(store, agentId, { kind: 'park', note: 'the subagent works' }, Date.now());
    writeFileSync(join(lab.cwd, 'parked'), '');
    await real.event('Stop', 1, (event) => !event.payload['agent_id']);
    expect(session()).toMatchObject({ status: 'parked', note: 'the subagent works' });
    await real.event('PreToolUse', 1, (event) => Boolean(event.payload['agent_id']));
    expect(session().subagents).toHaveLength(1);
    expect(row()).toMatchObject({ state: 'asking', detail: 'parked: the subagent works' });
    expect(row().evidence).toContain('1 subagent runs');
    writeFileSync(join(lab.cwd, 'go'), '');
    await real.event('PostToolUse', 1, (event) => Boolean(event.payload['agent_id']));
    await real.event('SubagentStop');
    await real.event('UserPromptSubmit', 1, (event) => String(event.payload['prompt']).includes('task-notification'));
    await real.event('Stop', 2, (event) => !event.payload['agent_id']);
    expect(session()).toMatchObject({ status: 'parked', note: 'the subagent works', subagents: [] });
    await lab.model.push(shellTurn('claude', 'echo own'), { text: 'END' });
    await real.submit(pane, 'go on');
    await real.event('Stop', 3, (event) => !event.payload['agent_id']);
    expect(session()).toMatchObject({ status: 'idle', note: null });
  });

  it('a permission prompt is listed until it is answered', async () => {
    const real = await open({ turns: [shellTurn('claude', 'touch allowed'), { text: 'ALLOWED' }] });
    const { lab, session, row } = real;
    const pane = await real.start({ session_id: id, args: ['--permission-mode', 'default'] });
    await real.ready(pane);
    await real.submit(pane, 'touch it');
    await real.event('PermissionRequest');
    expect(session()).toMatchObject({
      status: 'active',
      permission: { tool: 'Bash', what: expect.stringContaining('touch') },
    });
    expect(row()).toMatchObject({ state: 'dialog', detail: expect.stringMatching(/^permission: Bash .*touch/) });
    await real.answer(pane, 'permission', 'Enter');
    await real.event('PostToolUse');
    expect(session().permission).toBeNull();
    expect(existsSync(join(lab.cwd, 'allowed'))).toBe(true);
  });

  it('an interrupt has no event of its own: the town that made it writes it down, and the next prompt goes on', async () => {
    const real = await open({ turns: [{ hang: 'stream' }] });
    const { store, lab, session, row } = real;
    const pane = await real.start({ session_id: id, permissions: 'full' });
    await real.ready(pane);
    await real.submit(pane, 'hang on');
    await real.event('UserPromptSubmit');
    expect(session()).toMatchObject({ status: 'active' });
    expect(row()).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
    await pane.until('busy', (screen) => busyOn(screen, lab.runtime.descriptor.screen));
    await pane.answer('Escape', (screen) => !busyOn(screen, lab.runtime.descriptor.screen));
    await recordInterrupt(store, agentId, Date.now());
    expect(session()).toMatchObject({ status: 'idle' });
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
    expect(real.seen().map(({ words }) => words)).toEqual(['SessionStart', 'UserPromptSubmit']);
    await lab.model.push({ text: 'NEXT-ANSWER' });
    await real.ready(pane);
    await pane.keys('C-u');
    await real.submit(pane, 'go on');
    await real.event('Stop');
    expect(row()).toMatchObject({ state: 'idle', detail: '' });
  });
});
