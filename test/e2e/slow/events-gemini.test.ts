/** Every event of the real Gemini CLI, and the session record after each (issue 4: done when, 1). */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { geminiHooks } from '../../../src/runtimes/gemini/event-settings.ts';
import { isGuardedCommand } from '../../../src/runtimes/guarded-command.ts';
import { type HookEntries, withEntries } from '../../../src/runtimes/hook-file.ts';
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

describe('the events of the real Gemini CLI', () => {
  it('start, prompt, tool, stop gate, clear and exit', async () => {
    real = await openRealEvents('gemini', {
      scenario: {
        turns: [shellTurn('gemini', 'echo one'), { text: 'ONE-DONE' }, { text: 'ONE-STILL-DONE' }],
        default: { text: 'LATER-ANSWER' },
      },
    });
    const { store, lab, session } = real;
    const settings = join(lab.home, '.gemini', 'settings.json');
    mkdirSync(join(lab.home, '.gemini'), { recursive: true });
    const merged = withEntries(readFileSync(settings, 'utf8'), geminiHooks().hooks as HookEntries, isGuardedCommand);
    if (merged.kind !== 'changed' || merged.text === null) throw new Error(merged.kind);
    writeFileSync(settings, merged.text);

    const marks = lab.runtime.descriptor.screen;
    const ready = (pane: Pane) => pane.until('ready', (screen) => readyOn(screen, marks) && !busyOn(screen, marks));
    const submit = async (pane: Pane, text: string): Promise<void> => {
      await pane.paste(text);
      await pane.until('pasted', shows(text));
      // Gemini takes a key that follows a paste at once as part of it.
      await new Promise((done) => setTimeout(done, lab.runtime.descriptor.submit.delayMs));
      await pane.keys('Enter');
    };
    const set = { op: 'set', bead_id: 'gt-abc12', title: 'Paint the door' } as const;
    await changeHook(store, agentId, set, { kind: 'operator' }, Date.now());
    const pane = await real.start({ permissions: 'full' });
    await real.event('SessionStart');
    const first = session().session_id;
    expect(session()).toMatchObject({ governed: true, status: 'idle' });
    await ready(pane);

    await submit(pane, 'begin please');
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
    await changeHook(store, agentId, { op: 'complete' }, { kind: 'agent', agent_id: agentId }, Date.now());
    await ready(pane);

    await submit(pane, '/clear');
    const cleared = await real.event('SessionStart', 1, (event) => event.payload['source'] === 'clear');
    expect(cleared.payload['session_id']).not.toBe(first);
    expect(session().session_id).toBe(cleared.payload['session_id']);
    expect(store.agents.read(agentId)).toMatchObject({ value: { previous_sessions: [first] } });
    await ready(pane);
    await submit(pane, 'again');
    await real.event('AfterAgent', 3);
    const later = (await lab.model.requests()).map((request) => JSON.stringify(request.body));
    expect(later.some((body) => body.includes('again') && body.includes('gt-abc12'))).toBe(true);

    await ready(pane);
    await submit(pane, '/quit');
    await pane.ended();
    await real.event('SessionEnd', 1, (event) => event.payload['session_id'] === cleared.payload['session_id']);
    expect(session().ended_at).not.toBeNull();
  });
});
