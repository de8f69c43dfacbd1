/** Modes on the real Claude Code against the scripted model (issue 6, done when 2): sent on, verified, cancelled, let go. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { AgentRecord } from '../../../src/domain/records.ts';
import { openStore } from '../../../src/store/store.ts';
import { cancelModes } from '../../../src/town/modes/cancel.ts';
import { modeRecordsOf } from '../../../src/town/modes/records.ts';
import { startMode } from '../../../src/town/modes/start.ts';
import { agentId, removeScratch } from '../../events/support/event-town.ts';
import { openRealEvents, type RealEvents } from '../../events/support/real-events.ts';
import { until } from '../../support/private-tmux.ts';
import { installReal } from '../../support/real-runtimes/install.ts';
import { busyOn, readyOn } from '../../support/real-runtimes/marks.ts';
import { type FakeModel, startModel } from '../../support/real-runtimes/model.ts';
import type { Pane } from '../../support/real-runtimes/pane.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';
import { seedHome } from '../../support/real-runtimes/seed.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

let real: RealEvents | undefined;
let town: ScratchTown | undefined;
let model: FakeModel | undefined;
afterEach(async () => {
  await real?.close();
  await town?.stop();
  await model?.stop();
  real = undefined;
  town = undefined;
  model = undefined;
});
afterAll(removeScratch);

const stories = (ids: readonly string[]): string =>
  `{"project": "p", "userStories": [\n${ids
    .map(
      (id, at) =>
        `{"id": "${id}", "title": "part ${at + 1}", "acceptanceCriteria": ["it is in progress.txt"], "priority": ${at + 1}, "passes": false}`,
    )
    .join(',\n')}\n]}\n`;

/** What an obedient agent does with one story. */
const doStory = (id: string) =>
  shellTurn(
    'claude',
    `sed -i '/${id}/s/"passes": false/"passes": true/' prd.json && echo "${id} built" >> progress.txt`,
  );

describe('ralph on the real Claude Code', () => {
  it('drives three stories to verified completion and stops; another agent in the same repository is never held', async () => {
    const program = await installReal('claude');
    town = scratchTown({ config: null });
    const here = town;
    model = await startModel(town.folder, {
      queues: [
        {
          match: 'You are polecat-alpha',
          turns: [
            ...['US-001', 'US-002', 'US-003'].flatMap((id) => [doStory(id), { text: `${id} is done.` }]),
            shellTurn('claude', 'echo "summary: all three" >> progress.txt'),
            { text: 'The summary is there.' },
          ],
        },
        { match: 'You are polecat-bravo', turns: [{ text: 'HELLO-FROM-BRAVO' }] },
      ],
      default: { text: 'NOTHING-ELSE-TO-DO' },
    });
    const { url } = model;
    const agents = ['polecat-alpha', 'polecat-bravo'];
    const trees = agents.map((id) => join(here.root, '.chipset/worktrees', id));
    const seeded = await seedHome('claude', {
      home: town.env['HOME'] ?? '',
      trees: [town.root, ...trees],
      modelUrl: url,
    });
    symlinkSync(program, join(town.folder, 'bin', 'claude'));
    const entries = agents.map((id) => ({
      id,
      role: 'polecat',
      runtime: 'claude',
      permissions: 'full',
      args: seeded.args,
      env: seeded.env,
    }));
    town.write('prd.json', stories(['US-001', 'US-002', 'US-003']));
    town.write(
      'gastown.yaml',
      `agents: ${JSON.stringify(entries)}\nmodes: {test: 'test "$(grep -c built progress.txt)" -ge 3'}\n`,
    );
    town.git('add', 'prd.json');
    town.git('commit', '-q', '-m', 'stories');

    const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
    expect(up, up.err).toMatchObject({ code: 0 });
    const agentOf = (id: string): AgentRecord =>
      JSON.parse(readFileSync(join(here.stateDir, 'agents', `${id}.json`), 'utf8')) as AgentRecord;
    const store = openStore(town.stateDir);
    // Its id is given at the start; its own word comes with its first event.
    const isBound = (id: string): boolean => store.sessions.read(agentOf(id).session_id ?? '').kind === 'ok';
    await until('both sessions', () => agents.every(isBound), 120_000);

    const started = await town.run(['mode', 'start', 'ralph', 'polecat-alpha', 'all three parts']);
    expect(started, started.err).toMatchObject({ code: 0 });
    const nudged = await town.run(['nudge', 'polecat-bravo', 'say hello'], { timeoutMs: 60_000 });
    // Queued where its first screen is not drawn yet; the deacon types it then.
    expect([0, 3]).toContain(nudged.code);

    const session = agentOf('polecat-alpha').session_id ?? '';
    const ralph = () => modeRecordsOf(store, session)[0];
    const review = (than: string | null): Promise<string> =>
      until<string | null>(
        'a review',
        () => {
          const next = ralph()?.next;
          return next?.kind === 'review' && next.told && next.request_id !== than ? next.request_id : null;
        },
        120_000,
      ).catch(async (error: unknown) => {
        const seen = await Promise.all([here.run(['peek', 'polecat-alpha', '--lines', '40']), here.run(['log'])]);
        throw new Error(`${String(error)}\n${JSON.stringify(ralph())}\n${seen.map(({ out }) => out).join('\n')}`);
      });
    const first = await review(null);
    expect(readFileSync(join(trees[0] ?? '', 'progress.txt'), 'utf8').match(/built/g)?.length).toBe(3);
    expect((await town.run(['mode', 'reject', first, 'the summary is missing'])).code).toBe(0);
    const second = await review(first);
    expect((await town.run(['mode', 'approve', first])).code).toBe(3);
    expect((await town.run(['mode', 'approve', second])).code).toBe(0);
    expect(ralph()).toMatchObject({ active: false, ended: { kind: 'done', why: 'approved' } });

    // Each prompt was typed and proven, and nobody asked the model again afterwards.
    const bodies = (await model.turns()).map(({ body }) => JSON.stringify(body));
    const alpha = bodies.filter((body) => body.includes('You are polecat-alpha'));
    const bravo = bodies.filter((body) => body.includes('You are polecat-bravo'));
    for (const word of ['US-001', 'US-002', 'US-003', 'the summary is missing']) expect(alpha.at(-1)).toContain(word);
    expect(alpha.length).toBe(8);
    expect(bravo.length).toBe(1);
    expect(bravo[0]).not.toContain('[gastown mode');
    const journal = readFileSync(join(town.stateDir, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const receipts = journal.filter(({ kind }) => kind === 'mode.continued');
    expect(receipts.length).toBe(4);
    expect(receipts.every(({ message }) => message?.includes('verified'))).toBe(true);
    const requests = (await model.requests()).length;
    expect(store.sessions.read(session)).toMatchObject({ value: { status: 'idle' } });
    expect((await model.requests()).length).toBe(requests);

    // Once more, and cancelled while the model answers: that stop is let go, and nothing is typed any more.
    writeFileSync(join(trees[0] ?? '', 'prd.json'), stories(['US-009']));
    await model.load({ turns: [{ text: 'SLOW', delay_ms: 2_000 }], default: { text: 'NEVER' } });
    expect((await town.run(['mode', 'start', 'ralph', 'polecat-alpha', 'one more part'])).code).toBe(0);
    const asked = async () =>
      JSON.stringify((await here.status()).agents.find(({ agent_id }) => agent_id === 'polecat-alpha')?.freshness);
    await until('the turn', async () => ralph()?.continued_at !== null && (await asked()).includes('"active"'), 30_000);
    const cancelled = await town.run(['mode', 'cancel', 'polecat-alpha']);
    expect(cancelled.out).toContain('cancelled ralph of polecat-alpha');
    await until('its stop', async () => (await asked()).includes('"idle"'), 30_000);
    expect(ralph()).toBeUndefined();
    expect((await model.requests()).filter(({ kind }) => kind === 'default').length).toBe(0);
  });
});

describe('the stop of the real Claude Code where nobody types for it', () => {
  it('is sent on by its answer; cancel, context limit, rate limit and authentication let it go', async () => {
    real = await openRealEvents('claude', { scenario: { default: { text: 'NOTHING-ELSE' } } });
    const { lab, store, session } = real;
    const here = real;
    writeFileSync(join(lab.cwd, 'prd.json'), stories(['US-001']));
    const marks = lab.runtime.descriptor.screen;
    const pane = await real.start({ permissions: 'full', env: { CLAUDE_CODE_MAX_RETRIES: '0' } });
    await real.event('SessionStart');
    const ready = () => pane.until('ready', (screen) => readyOn(screen, marks) && !busyOn(screen, marks));
    const begin = () =>
      startMode(store, { mode: 'ralph', agentId, goal: 'part 1', by: 'operator', way: null }, Date.now());
    const ralph = () => modeRecordsOf(store, session().session_id)[0];
    const turns = async () => (await lab.model.requests()).filter(({ kind }) => kind === 'turn').length;
    await ready();

    // Sent on once by the answer; the stop after that one is re-entrant and goes.
    await begin();
    await lab.model.load({ turns: [{ text: 'ONE' }, { text: 'TWO' }] });
    await submit(pane, 'go on');
    await real.event('Stop', 2);
    expect(
      real
        .seen()
        .filter(({ words }) => words === 'Stop')
        .map(({ payload }) => payload['stop_hook_active']),
    ).toEqual([false, true]);
    expect(JSON.stringify((await lab.model.turns())[1]?.body)).toContain('story US-001');
    expect(ralph()).toMatchObject({ iteration: 1, active: true });
    await ready();

    // Cancelled while the model answers: that very stop is let go.
    await lab.model.load({ turns: [{ text: 'SLOW', delay_ms: 2_500 }, { text: 'NEVER' }] });
    await submit(pane, 'once more');
    await real.event('UserPromptSubmit', 2);
    const { cancelled } = await cancelModes(store, { agentId, mode: null, by: 'operator' }, Date.now());
    expect(cancelled.map(({ mode }) => mode)).toEqual(['ralph']);
    await real.event('Stop', 3);
    await ready();
    expect(ralph()).toBeUndefined();
    expect(await turns()).toBe(3);

    await begin();
    const failures = [
      {
        why: 'context_limit',
        turn: { error: 400, error_message: 'prompt is too long: 250000 tokens > 200000 maximum' },
      },
      { why: 'rate_limit', turn: { error: 429, error_message: 'rate limited' } },
      { why: 'authentication', turn: { error: 401, error_message: 'invalid x-api-key' } },
    ];
    for (const { why, turn } of failures) {
      await lab.model.load({ turns: [turn], default: turn });
      await submit(pane, `try ${why}`);
      await until(`let go by ${why}`, () => ralph()?.held?.why === why, 60_000).catch((error: unknown) => {
        const last = here
          .seen()
          .slice(-3)
          .map(({ words, payload }) => `${words} ${JSON.stringify(payload)}`);
        throw new Error(`${String(error)}\n${JSON.stringify(ralph())}\n${last.join('\n')}`);
      });
      expect(ralph()).toMatchObject({ iteration: 0, active: true, next: null });
      await ready();
    }
    // A human's next prompt goes on as before.
    await lab.model.load({ turns: [{ text: 'BACK' }, { text: 'ON' }] });
    await submit(pane, 'again please');
    await until('sent on', () => ralph()?.iteration === 1, 30_000);
  });
});

async function submit(pane: Pane, text: string): Promise<void> {
  await pane.paste(text);
  await pane.until('pasted', (screen) => screen.lines.some((line) => line.includes(text)));
  await pane.keys('Enter');
}
