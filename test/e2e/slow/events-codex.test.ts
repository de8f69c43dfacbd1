/** Every event of the real Codex, and the session record after each (issue 4: done when, 1). */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { codexHooks } from '../../../src/runtimes/codex/event-settings.ts';
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

describe('the events of the real Codex', () => {
  it('start, prompt, tool, stop gate, interrupt, compaction, clear and exit', async () => {
    real = await openRealEvents('codex', {
      seed: { codexHooks: codexHooks() },
      scenario: {
        turns: [shellTurn('codex', 'echo one'), { text: 'ONE-DONE' }, { text: 'ONE-STILL-DONE' }, { hang: 'stream' }],
        default: { text: 'LATER-ANSWER' },
      },
    });
    const { store, lab, session } = real;
    const marks = lab.runtime.descriptor.screen;
    const ready = (pane: Pane) => pane.until('ready', (screen) => readyOn(screen, marks) && !busyOn(screen, marks));
    const submit = async (pane: Pane, text: string): Promise<void> => {
      await pane.paste(text);
      await pane.until('pasted', shows(text));
      await pane.keys('Enter');
    };
    const set = { op: 'set', bead_id: 'gt-abc12', title: 'Paint the door' } as const;
    await changeHook(store, agentId, set, { kind: 'operator' }, Date.now());
    const pane = await real.start({ permissions: 'full', strategy: 'prompt_preamble', firstPrompt: 'begin please' });

    // SessionStart comes with the first prompt.
    await real.event('SessionStart');
    await real.event('UserPromptSubmit');
    const first = session().session_id;
    await real.event('PreToolUse');
    expect(store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
    await real.event('PostToolUse');
    await real.event('Stop', 2);
    expect(session()).toMatchObject({ status: 'asking', governed: true });
    expect(session().note).toContain('ONE-STILL-DONE');
    const blocked = (await lab.model.turns())[2];
    expect(JSON.stringify(blocked?.body).includes('stop not declared')).toBe(true);
    await changeHook(store, agentId, { op: 'complete' }, { kind: 'agent', agent_id: agentId }, Date.now());
    await ready(pane);

    await submit(pane, 'hang on');
    await real.event('UserPromptSubmit', 2);
    expect(session()).toMatchObject({ status: 'active', note: null });
    await pane.until('busy', (screen) => busyOn(screen, marks));
    await pane.keys('Escape');
    await real.event('Interrupt');
    expect(session()).toMatchObject({ status: 'idle' });
    await ready(pane);

    await submit(pane, '/compact');
    await real.event('PreCompact');
    await real.event('PostCompact');
    expect(session().session_id).toBe(first);
    await ready(pane);

    await submit(pane, '/clear');
    await ready(pane);
    await submit(pane, 'again');
    const cleared = await real.event('SessionStart', 1, (event) => event.payload['source'] === 'clear');
    expect(cleared.payload['session_id']).not.toBe(first);
    await real.event('Stop', 3);
    expect(session()).toMatchObject({ session_id: cleared.payload['session_id'], status: 'idle' });
    expect(store.agents.read(agentId)).toMatchObject({ value: { previous_sessions: [first] } });
    const bodies = (await lab.model.requests()).map((request) => JSON.stringify(request.body));
    expect(bodies.some((body) => body.includes('again') && body.includes('gt-abc12'))).toBe(true);

    await ready(pane);
    await submit(pane, '/quit');
    await pane.ended();
    await real.event('SessionEnd', 1, (event) => event.payload['session_id'] === cleared.payload['session_id']);
    expect(session().ended_at).not.toBeNull();
  });
});
