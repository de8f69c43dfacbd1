/** Every event of the real Claude Code, and the session record after each (issue 4: done when, 1 and 2). */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { changeHook } from '../../../src/store/hooks.ts';
import { promptSeen } from '../../../src/town/events/prompt-proof.ts';
import { declareState } from '../../../src/town/events/sessions.ts';
import { agentId, removeScratch } from '../../events/support/event-town.ts';
import { openRealEvents, type RealEvents } from '../../events/support/real-events.ts';
import { until } from '../../support/private-tmux.ts';
import { busyOn, dialogOn, readyOn } from '../../support/real-runtimes/marks.ts';
import type { Pane } from '../../support/real-runtimes/pane.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';

let real: RealEvents | undefined;
afterEach(async () => {
  await real?.close();
  real = undefined;
});
afterAll(removeScratch);

const id = '11111111-2222-4333-8444-555555555555';

async function submit(pane: Pane, text: string): Promise<void> {
  await pane.paste(text);
  await pane.until('pasted', (screen) => screen.lines.some((line) => line.includes(text)));
  await pane.keys('Enter');
}

describe('the events of the real Claude Code', () => {
  it('start, prompt, tool, stop gate, question and answer, compaction, clear, exit and resume', async () => {
    real = await openRealEvents('claude', {
      scenario: {
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
      },
    });
    const { store, lab, session } = real;
    const marks = lab.runtime.descriptor.screen;
    const ready = (pane: Pane) => pane.until('ready', (screen) => readyOn(screen, marks) && !busyOn(screen, marks));
    const set = { op: 'set', bead_id: 'gt-abc12', title: 'Paint the door' } as const;
    await changeHook(store, agentId, set, { kind: 'operator' }, Date.now());

    const pane = await real.start({ session_id: id, permissions: 'full' });
    await real.event('SessionStart');
    expect(session()).toMatchObject({ session_id: id, governed: true, status: 'idle' });
    await ready(pane);

    // A prompt activates no hook, the first tool does; the stop without a declaration is asked for one, once.
    const since = Date.now();
    await submit(pane, 'begin please');
    await real.event('UserPromptSubmit');
    expect(promptSeen(store.paths, agentId, since)?.head).toBe('begin please');
    await real.event('PreToolUse');
    expect(store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
    await real.event('Stop', 2);
    expect(session()).toMatchObject({ status: 'asking' });
    expect(session().note).toContain('ONE-STILL-DONE');
    const [first, , third] = await lab.model.turns();
    expect(JSON.stringify(first?.body)).toContain('Paint the door');
    expect(JSON.stringify(third?.body)).toContain('stop not declared');
    await changeHook(store, agentId, { op: 'complete' }, { kind: 'agent', agent_id: agentId }, Date.now());
    await ready(pane);

    await submit(pane, 'ask me');
    await real.event('PreToolUse', 1, (event) => event.words.includes('AskUserQuestion'));
    expect(session()).toMatchObject({ status: 'asking', note: 'Which "color" — 漢?' });
    await pane.until('the question', (screen) => dialogOn(screen, marks) === 'question');
    await pane.answer('Enter', (screen) => dialogOn(screen, marks) === undefined);
    await real.event('PostToolUse', 1, (event) => event.words.includes('AskUserQuestion'));
    expect(['active', 'idle']).toContain(session().status);
    await real.event('Stop', 3);
    expect(session()).toMatchObject({ status: 'idle', note: null, tool_use_id: null });
    await ready(pane);

    await submit(pane, '/compact');
    await real.event('PreCompact');
    await real.event('SessionStart', 1, (event) => event.payload['source'] === 'compact');
    await real.event('PostCompact');
    expect(session()).toMatchObject({ session_id: id, governed: true, subagents: [] });
    await ready(pane);

    await submit(pane, '/clear');
    const cleared = await real.event('SessionStart', 1, (event) => event.payload['source'] === 'clear');
    expect(session().session_id).toBe(cleared.payload['session_id']);
    expect(session().session_id).not.toBe(id);
    expect(store.agents.read(agentId)).toMatchObject({ value: { previous_sessions: [id] } });
    expect(store.sessions.read(id)).toMatchObject({ value: { ended_at: expect.any(String) } });
    await ready(pane);
    await submit(pane, 'again');
    await real.event('Stop', 4);
    const bodies = (await lab.model.requests()).map((request) => JSON.stringify(request.body));
    expect(bodies.some((body) => body.includes('again') && body.includes('gt-abc12'))).toBe(true);

    await ready(pane);
    await submit(pane, '/exit');
    await pane.ended();
    await until('the end of the session', () => session().ended_at);

    const next = await real.start({ resume: session().session_id, permissions: 'full' });
    await real.event('SessionStart', 1, (event) => event.payload['source'] === 'resume');
    expect(session()).toMatchObject({ session_id: cleared.payload['session_id'], ended_at: null, status: 'idle' });
    await next.until('ready', (screen) => readyOn(screen, marks));
  });

  it('a parked session with a running subagent stays parked until its own next tool call', async () => {
    const wait = 'touch park-me; while [ ! -e parked ]; do sleep 0.1; done';
    real = await openRealEvents('claude', {
      scenario: {
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
      },
    });
    const { store, lab, session } = real;
    const marks = lab.runtime.descriptor.screen;
    const pane = await real.start({ session_id: id, permissions: 'full' });
    await pane.until('ready', (screen) => readyOn(screen, marks));
    await submit(pane, 'from-the-human');
    await until('the tool runs', () => existsSync(join(lab.cwd, 'park-me')), 60_000);
    await declareState(store, agentId, { kind: 'park', note: 'the subagent works' }, Date.now());
    writeFileSync(join(lab.cwd, 'parked'), '');
    await real.event('Stop', 1, (event) => !event.payload['agent_id']);
    expect(session()).toMatchObject({ status: 'parked', note: 'the subagent works' });
    await real.event('PreToolUse', 1, (event) => Boolean(event.payload['agent_id']));
    expect(session().subagents).toHaveLength(1);
    writeFileSync(join(lab.cwd, 'go'), '');
    await real.event('PostToolUse', 1, (event) => Boolean(event.payload['agent_id']));
    await real.event('SubagentStop');
    await real.event('UserPromptSubmit', 1, (event) => String(event.payload['prompt']).includes('task-notification'));
    await real.event('Stop', 2, (event) => !event.payload['agent_id']);
    expect(session()).toMatchObject({ status: 'parked', note: 'the subagent works', subagents: [] });
    await lab.model.push(shellTurn('claude', 'echo own'), { text: 'END' });
    await submit(pane, 'go on');
    await real.event('Stop', 3, (event) => !event.payload['agent_id']);
    expect(session()).toMatchObject({ status: 'idle', note: null });
  });

  it('a permission prompt is listed until it is answered', async () => {
    real = await openRealEvents('claude', {
      scenario: { turns: [shellTurn('claude', 'touch allowed'), { text: 'ALLOWED' }] },
    });
    const { lab, session } = real;
    const marks = lab.runtime.descriptor.screen;
    const pane = await real.start({ session_id: id, args: ['--permission-mode', 'default'] });
    await pane.until('ready', (screen) => readyOn(screen, marks));
    await submit(pane, 'touch it');
    await real.event('PermissionRequest');
    expect(session()).toMatchObject({ status: 'active', permission: { tool: 'Bash' } });
    await pane.until('the dialog', (screen) => dialogOn(screen, marks) === 'permission');
    await pane.answer('Enter', (screen) => dialogOn(screen, marks) === undefined);
    await real.event('PostToolUse');
    expect(session().permission).toBeNull();
    expect(existsSync(join(lab.cwd, 'allowed'))).toBe(true);
  });
});
