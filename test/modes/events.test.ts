/** Modes through the wired command: the generated entry, the bundled program, payloads as the real runtime sends them. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModeRecord } from '../../src/domain/mode/record.ts';
import { changeHook } from '../../src/store/hooks.ts';
import { releaseLease, takeLease } from '../../src/store/lease.ts';
import { changeMode } from '../../src/town/modes/change.ts';
import { modeRecordsOf } from '../../src/town/modes/records.ts';
import { type ModeStart, startMode } from '../../src/town/modes/start.ts';
import { rememberTyped } from '../../src/town/typed.ts';
import {
  agentId,
  type EventTown,
  haveSession,
  openEventTown,
  removeScratch,
  sessionId,
} from '../events/support/event-town.ts';

const folder = new URL('../support/real-runtimes/payloads/claude/', import.meta.url).pathname;
const recorded = (name: string, fields: object = {}): Record<string, unknown> => ({
  ...JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')),
  session_id: sessionId,
  ...fields,
});

let town: EventTown;
beforeEach(async () => {
  town = await openEventTown();
  await haveSession(town, { status: 'active' });
});
afterEach(() => town.close());
afterAll(removeScratch);

const start = (mode: ModeStart['mode'], fields: Partial<ModeStart> = {}) =>
  startMode(town.store, { mode, agentId, goal: 'make it right', by: 'operator', way: null, ...fields }, Date.now());
const stop = (fields: object = {}) => town.fire('Stop', recorded('Stop', fields));
const prompt = (text: string, session = sessionId) =>
  town.fire('UserPromptSubmit', recorded('UserPromptSubmit', { prompt: text, session_id: session }));
const modeOf = (mode: string, session = sessionId): ModeRecord | undefined =>
  modeRecordsOf(town.store, session).find((record) => record.mode === mode);
const block = (out: string) => JSON.parse(out) as { continue: boolean; decision: string; reason: string };
const journal = () =>
  existsSync(town.store.paths.journal)
    ? readFileSync(town.store.paths.journal, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    : [];
const human = () => town.store.agents.update(agentId, (agent) => agent && { ...agent, role: 'crew' });

const prd = (passes: readonly boolean[]) =>
  writeFileSync(
    join(town.root, 'prd.json'),
    JSON.stringify({
      project: 'p',
      userStories: passes.map((done, at) => ({
        id: `US-00${at + 1}`,
        title: `story ${at + 1}`,
        acceptanceCriteria: ['it holds'],
        priority: at + 1,
        passes: done,
      })),
    }),
  );

describe('persistent-mode: the stop of a session in a mode', () => {
  it('decision 10: continue true, decision block and the reason, never continue false; each is a receipt in the journal', async () => {
    prd([true, false, false]);
    await start('ralph');
    const { out, exit } = await stop();
    expect(exit).toBe(0);
    expect(block(out)).toMatchObject({ continue: true, decision: 'block' });
    expect(Object.keys(block(out)).sort()).toEqual(['continue', 'decision', 'reason']);
    expect(block(out).reason).toContain('US-002');
    expect(modeOf('ralph')).toMatchObject({ iteration: 1, active: true });
    expect(journal().filter(({ kind }) => kind === 'mode.continued')).toMatchObject([
      { agent_id: agentId, mode: 'ralph' },
    ]);
  });

  it('where the deacon lives the next prompt is owed, not answered, and nobody has to declare the stop', async () => {
    prd([false]);
    const set = { op: 'set', bead_id: 'gt-abc12', title: 'Paint the door' } as const;
    await changeHook(town.store, agentId, set, { kind: 'operator' }, Date.now());
    expect(block((await stop()).out).reason).toContain('stop not declared');
    await haveSession(town, { status: 'active', stop_asked_at: null });
    await takeLease(town.store, Date.now());
    await start('ralph');
    expect((await stop({ stop_hook_active: true })).out).toBe('');
    expect(modeOf('ralph')).toMatchObject({ iteration: 1, next: { kind: 'say', delivery: null }, continued_at: null });
    // A second stop finds it owed already; a human's prompt overtakes it.
    expect((await stop()).out).toBe('');
    expect(modeOf('ralph')?.iteration).toBe(1);
    await prompt('do something else first');
    expect(modeOf('ralph')?.next).toBeNull();
    await releaseLease(town.store);
  });

  it('a context limit is let go with work on the hook as well: nobody has to declare it', async () => {
    const set = { op: 'set', bead_id: 'gt-abc12', title: 'Paint the door' } as const;
    await changeHook(town.store, agentId, set, { kind: 'operator' }, Date.now());
    expect((await stop({ stop_reason: 'context_window_exceeded' })).out).toBe('');
  });

  it('re-entrant stop, running subagent, own wake-up, a declaration and an open gate let it go', async () => {
    prd([false]);
    await start('ralph');
    expect((await town.fire('Stop', recorded('Stop-after-block'))).out).toBe('');
    expect((await town.fire('Stop', recorded('Stop-with-running-subagent'))).out).toBe('');
    expect((await stop({ session_crons: [{ id: 'c1' }] })).out).toBe('');
    await haveSession(town, { status: 'parked', note: 'waits for the build' });
    expect((await stop()).out).toBe('');
    await haveSession(town, { status: 'active' });
    await town.store.gates.update(agentId, () => ({
      kind: 'paused',
      reason: 'x',
      opened_at: '2026-01-01T00:00:00Z',
      by: 'operator',
    }));
    expect((await stop()).out).toBe('');
    expect(modeOf('ralph')).toMatchObject({ iteration: 0, active: true });
  });

  it.each([
    ['context_limit', { stop_reason: 'context_window_exceeded' }],
    ['user_abort', { stop_reason: 'user_cancel' }],
    ['rate_limit', { stop_reason: 'rate_limit_exceeded' }],
    ['authentication', { error: { type: 'authentication_error' } }],
    ['rate_limit', { last_assistant_message: 'API Error: 429 too many requests' }],
    ['context_limit', { last_assistant_message: 'Prompt is too long' }],
  ])('%s lets the stop go, with nothing owed: %o', async (why, fields) => {
    prd([false]);
    await start('ralph');
    expect((await stop(fields)).out).toBe('');
    expect(modeOf('ralph')).toMatchObject({ iteration: 0, active: true, next: null, held: { why } });
    // Words about limits in an answer are no cause: the next stop is continued again.
    expect(
      block((await stop({ last_assistant_message: 'I fixed the rate limit of 429 and the 401 of the login' })).out)
        .decision,
    ).toBe('block');
  });

  it('a failed turn of the real runtime lets it go', async () => {
    await start('ralph');
    await town.fire('StopFailure', recorded('StopFailure'));
    expect(modeOf('ralph')).toMatchObject({ held: { why: 'turn_failed' }, next: null, active: true });
    await town.fire(
      'StopFailure',
      recorded('StopFailure', { error: 'rate_limit', last_assistant_message: 'API Error: 529 overloaded' }),
    );
    expect(modeOf('ralph')?.held?.why).toBe('rate_limit');
  });

  it('seed 004, session isolation: neither another session nor a nested one nor a stranger is ever held', async () => {
    prd([false]);
    await start('ralph');
    const other = '00000000-0000-4000-8000-000000000099';
    expect((await stop({ session_id: other })).out).toBe('');
    expect((await town.fire('Stop', recorded('Stop'), { GT_AGENT_ID: 'polecat-bravo' })).out).toBe('');
    expect((await town.fire('Stop', recorded('Stop'), { GT_AGENT_ID: undefined })).out).toBe('');
    expect(modeOf('ralph')?.iteration).toBe(0);
  });

  it('seed 004: a record nobody looked at for more than two hours holds nothing', async () => {
    prd([false]);
    const { record } = await start('ralph');
    const old = new Date(Date.now() - 2 * 3_600_000 - 60_000).toISOString();
    await changeMode(town.store, record, (current) => ({ ...current, started_at: old, last_checked_at: old }));
    expect((await stop()).out).toBe('');
    await changeMode(town.store, record, (current) => ({ ...current, last_checked_at: new Date().toISOString() }));
    expect(block((await stop()).out).decision).toBe('block');
  });

  it('no progress: three turns without a tool end it, and a human is told by the failed run', async () => {
    prd([false]);
    await start('ralph');
    for (let turn = 0; turn < 3; turn += 1) expect(block((await stop()).out).decision).toBe('block');
    expect((await stop()).out).toBe('');
    expect(modeOf('ralph')).toMatchObject({ active: false, ended: { kind: 'failed', told: false } });
    expect((await stop()).out).toBe('');
  });

  it('the maximum ends it, however many stops follow', async () => {
    prd([false]);
    await start('ralph', { maxIterations: 2 });
    const answers: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      town.store.heartbeat.touch(agentId, 'tool', 'PostToolUse');
      answers.push((await stop()).out);
    }
    expect(answers.filter((out) => out !== '').length).toBe(2);
    expect(modeOf('ralph')?.ended).toMatchObject({ kind: 'failed' });
  });

  it('seed 004: ralph is heard before autopilot, and only one speaks', async () => {
    prd([false]);
    await start('autopilot');
    await start('ralph');
    const { reason } = block((await stop()).out);
    expect(reason).toContain('[gastown mode: ralph]');
    expect(reason).not.toContain('autopilot');
    expect(modeOf('autopilot')?.iteration).toBe(0);
  });

  it('a corrupt record of a mode holds nobody and is left as it is', async () => {
    const { record } = await start('ralph');
    const path = town.store.paths.mode(record.session_id, 'ralph');
    writeFileSync(path, '{"mode": "ralph", ');
    expect((await stop()).out).toBe('');
    expect(readFileSync(path, 'utf8')).toBe('{"mode": "ralph", ');
  });

  it('todo-continuation: the session’s own unfinished todos are named, another’s never, and alone they hold nobody', async () => {
    const todos = join(town.root, '.claude', 'todos');
    const { mkdirSync } = await import('node:fs');
    mkdirSync(todos, { recursive: true });
    writeFileSync(
      join(todos, `${sessionId}-agent-${sessionId}.json`),
      JSON.stringify([
        { content: 'write the tests', status: 'in_progress' },
        { content: 'b', status: 'completed' },
      ]),
    );
    writeFileSync(
      join(todos, 's-other-agent-s-other.json'),
      JSON.stringify([{ content: 'phantom', status: 'pending' }]),
    );
    expect((await stop()).out).toBe('');
    prd([false]);
    await start('ralph');
    const { reason } = block((await stop()).out);
    expect(reason).toContain('Of your todos 1 are not finished, next: "write the tests"');
    expect(reason).not.toContain('phantom');
    const kept = JSON.parse(
      readFileSync(town.store.paths.handlerSessionState('todo-continuation', sessionId), 'utf8'),
    ) as object;
    expect(kept).toMatchObject({ in_progress: 1, completed: 1, pending: 0 });
  });

  it('without any mode a stop leaves nothing of modes behind', async () => {
    expect((await stop()).out).toBe('');
    expect(existsSync(town.store.paths.modesDir)).toBe(false);
  });
});

describe('a leading word of a prompt', () => {
  it.each([
    ['ralph make all tests pass', 'ralph'],
    ["don't stop until the build is green", 'ralph'],
    ['build me a parser', 'autopilot'],
    ['autopilot: a parser', 'autopilot'],
    ['ulw clear the backlog', 'ultrawork'],
    ['pipeline: write it | check it', 'pipeline'],
  ])('seed 004: %s', async (text, mode) => {
    await human();
    if (mode === 'ultrawork')
      await town.store.beads.update('gt-a', () => ({
        bead_id: 'gt-a',
        title: 't',
        description: '',
        status: 'open',
        priority: 'P2',
        assignee: null,
        needs: [],
        created_at: '2026-01-01T00:00:00Z',
      }));
    const { out } = await prompt(text);
    expect(modeOf(mode)).toMatchObject({ active: true });
    const { hookSpecificOutput } = JSON.parse(out) as { hookSpecificOutput: { additionalContext: string } };
    expect(hookSpecificOutput.additionalContext).toContain(`[gastown mode: ${mode}]`);
  });

  it.each([
    'please use ralph for this',
    'ralph is broken, why?',
    'what does "build me" do',
    "don't stop the server",
    '[gastown mode: ralph] story US-001',
    '> ralph do it',
    'the pipeline is red',
  ])('nothing starts: %s', async (text) => {
    await human();
    await prompt(text);
    expect(existsSync(town.store.paths.sessionModes(sessionId))).toBe(false);
  });

  it('muted in workers and in text the town typed itself', async () => {
    await prompt('ralph make it so');
    expect(modeOf('ralph')).toBeUndefined();
    await human();
    rememberTyped(town.store.paths, agentId, 'ralph make it so', Date.now());
    await prompt('ralph make it so');
    expect(modeOf('ralph')).toBeUndefined();
  });

  it('what excludes it is said, and the prompt goes through', async () => {
    await human();
    await start('autopilot');
    const { out } = await prompt('pipeline: a | b');
    expect(out).toContain('autopilot is active');
    expect(modeOf('pipeline')).toBeUndefined();
  });

  it('cancels before the model reads it, and the next stops are let go', async () => {
    prd([false]);
    await start('ralph');
    const { out } = await prompt('stopomc');
    expect(out).toContain('Cancelled by the human: ralph');
    for (let again = 0; again < 3; again += 1) expect((await stop()).out).toBe('');
    expect(readdirSync(town.store.paths.sessionModes(sessionId))).toEqual([]);
  });
});

describe('a session that takes another id', () => {
  const next = '00000000-0000-4000-8000-000000000077';
  it.each(['clear', 'resume', 'compact'])('%s: its modes follow and it is told of them', async (source) => {
    prd([false]);
    await start('ralph');
    const { out } = await town.fire('SessionStart', recorded('SessionStart-clear', { source, session_id: next }));
    expect(modeOf('ralph')).toBeUndefined();
    expect(modeOf('ralph', next)).toMatchObject({ session_id: next, active: true });
    expect(out).toContain('[gastown mode: ralph] goes on');
    expect(block((await stop({ session_id: next })).out).decision).toBe('block');
  });
});
