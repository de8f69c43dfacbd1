import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { changeHook } from '../../src/store/hooks.ts';
import {
  agentId,
  eventProgram,
  haveSession,
  openEventTown,
  parked,
  removeScratch,
  sessionId,
} from './support/event-town.ts';

afterAll(removeScratch);

const base = { session_id: sessionId, cwd: '/repo', hook_event_name: 'x' };
const tool = (name: string, id: string, input: unknown = {}) => ({
  ...base,
  tool_name: name,
  tool_input: input,
  tool_use_id: id,
});

describe('the entry of events', () => {
  it('binds the session, primes it, and follows a whole turn (seed 003, DESIGN section 6)', async () => {
    const town = await openEventTown();
    await town.store.beads.update('gt-abc12', () => ({
      bead_id: 'gt-abc12',
      title: 'Mend the gate',
      description: 'It squeaks.',
      status: 'hooked',
      priority: 'P2',
      assignee: agentId,
      needs: [],
      created_at: '2026-01-01T00:00:00.000Z',
    }));
    const set = { op: 'set', bead_id: 'gt-abc12', title: 'Mend the gate' } as const;
    await changeHook(town.store, agentId, set, { kind: 'operator' }, Date.now());

    const start = await town.fire('SessionStart', { ...base, source: 'startup' });
    expect(start.exit).toBe(0);
    const answer = JSON.parse(start.out);
    expect(answer.hookSpecificOutput.hookEventName).toBe('SessionStart');
    expect(answer.hookSpecificOutput.additionalContext).toContain('gt-abc12');
    expect(town.agent()).toMatchObject({ session_id: sessionId });
    expect(town.agent().first_event_at).not.toBeNull();
    expect(town.session(sessionId)).toMatchObject({ governed: true, status: 'idle', agent_id: agentId });

    await town.fire('UserPromptSubmit', { ...base, prompt: 'go' });
    expect(town.session(sessionId)).toMatchObject({ status: 'active' });
    expect(town.store.hooks.read(agentId)).toMatchObject({ value: { status: 'pending' } });

    expect(await town.fire('PreToolUse Bash', tool('Bash', 't1'))).toEqual({ exit: 0, out: '', err: '' });
    expect(town.store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
    expect(existsSync(join(town.stateDir, 'heartbeat', `${agentId}.fast`))).toBe(true);

    await town.fire('PreToolUse AskUserQuestion', tool('AskUserQuestion', 'q1', { questions: [{ question: 'Red?' }] }));
    expect(town.session(sessionId)).toMatchObject({ status: 'asking', note: 'Red?', tool_use_id: 'q1' });
    await town.fire('PostToolUse Bash', tool('Bash', 't1'));
    expect(town.session(sessionId)).toMatchObject({ status: 'asking' });
    await town.fire('PostToolUse AskUserQuestion', tool('AskUserQuestion', 'q1'));
    expect(town.session(sessionId)).toMatchObject({ status: 'active', note: null });

    const gate = await town.fire('Stop', { ...base, stop_hook_active: false, last_assistant_message: 'Hm.' });
    expect(JSON.parse(gate.out)).toMatchObject({ continue: true, decision: 'block' });
    const second = await town.fire('Stop', { ...base, stop_hook_active: true, last_assistant_message: 'Hm.' });
    expect(second.out).toBe('');
    expect(town.session(sessionId)).toMatchObject({ status: 'asking' });
    expect(town.session(sessionId)?.note).toContain('Hm.');
  });

  it('an agent declared active leaves the payload unread and touches its heartbeat', async () => {
    const town = await openEventTown();
    await town.fire('SessionStart', { ...base, source: 'startup' });
    await town.fire('UserPromptSubmit', { ...base, prompt: 'go' });
    await town.fire('PreToolUse', tool('Bash', 't1'));
    const fast = join(town.stateDir, 'heartbeat', `${agentId}.fast`);
    expect(existsSync(fast)).toBe(true);
    const record = statSync(town.store.sessions.place(sessionId).path).mtimeMs;
    // No Node would be found, so only the shell can have answered.
    const before = town.store.heartbeat.read(agentId, 'tool')?.at ?? 0;
    expect(await town.fire('PostToolUse Bash', 'x'.repeat(1_000_000))).toEqual({ exit: 0, out: '', err: '' });
    expect(town.store.heartbeat.read(agentId, 'tool')).toMatchObject({ word: 'PostToolUse' });
    expect(town.store.heartbeat.read(agentId, 'tool')?.at).toBeGreaterThanOrEqual(before);
    expect(statSync(town.store.sessions.place(sessionId).path).mtimeMs).toBe(record);
    expect(readFileSync(join(town.stateDir, 'heartbeat', `${agentId}.calls`), 'utf8')).toBe('+tool\n-Bash\n');
    expect(existsSync(join(town.stateDir, 'heartbeat', `${agentId}.trouble`))).toBe(false);
  });

  it('a record that somebody else wrote is looked at, whatever the fast path thinks', async () => {
    const town = await openEventTown();
    await haveSession(town, { status: 'active', note: null });
    await town.fire('PreToolUse', tool('Bash', 't1'));
    expect(existsSync(join(town.stateDir, 'heartbeat', `${agentId}.fast`))).toBe(true);
    const { path } = town.store.sessions.place(sessionId);
    writeFileSync(
      path,
      JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), status: 'parked', note: 'by hand' }),
    );
    await town.fire('PreToolUse', tool('Bash', 't2'));
    expect(town.session(sessionId)).toMatchObject({ status: 'active', note: null });
  });

  it('work that is set while the agent is active is activated by its next tool event', async () => {
    const town = await openEventTown();
    await haveSession(town, { status: 'active', note: null });
    await town.fire('PreToolUse', tool('Bash', 't1'));
    const set = { op: 'set', bead_id: 'gt-abc12', title: 'Mend the gate' } as const;
    await changeHook(town.store, agentId, set, { kind: 'sling' }, Date.now());
    await town.fire('PostToolUse', tool('Bash', 't1'));
    expect(town.store.hooks.read(agentId)).toMatchObject({ value: { status: 'active' } });
  });

  it('runs without its compiled form, with a broken one, and leaves a good one for the next', async () => {
    const folder = dirname(await eventProgram());
    const caches = () => readdirSync(folder).filter((name) => name.endsWith('.cache'));
    const all = caches();
    // That of the program; handlers have their own.
    const [, hash] = /^\/\/(\w+)/.exec(readFileSync(join(folder, 'event-main.cjs'), 'utf8')) ?? [];
    const path = join(folder, all.find((name) => name.includes(hash ?? '?')) ?? '');
    const good = statSync(path).size;
    const spoilers = [() => rmSync(path), () => writeFileSync(path, 'x'), () => truncateSync(path, good - 100)];
    for (const spoil of spoilers) {
      const town = await openEventTown();
      spoil();
      await haveSession(town, parked);
      expect(await town.fire('PreToolUse Bash', tool('Bash', 't1'))).toEqual({ exit: 0, out: '', err: '' });
      expect(town.session(sessionId)).toMatchObject({ status: 'active' });
      expect(caches()).toEqual(all);
      expect(statSync(path).size).toBeGreaterThan(10_000);
      town.close();
    }
  });
});
