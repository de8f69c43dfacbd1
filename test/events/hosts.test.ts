/** What a runtime's own hook system must be able to rely on, whatever it hands over: field reports 33, 35, 36, 40. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { contextLimit, eventOf } from '../../src/domain/event.ts';
import { formatOf } from '../../src/events/formats.ts';
import { changeHook } from '../../src/store/hooks.ts';
import { entryScript } from '../../src/town/events/entry-script.ts';
import { promptSeen } from '../../src/town/events/prompt-proof.ts';
import { toolsInFlight } from '../../src/town/events/tool-calls.ts';
import { readTrouble } from '../../src/town/events/trouble.ts';
import {
  agentId,
  type EventTown,
  eventProgram,
  fire,
  handle,
  haveSession,
  instanceId,
  newScratch,
  openEventTown,
  parked,
  removeScratch,
  sessionId,
} from './support/event-town.ts';
import { rowOf } from './support/row.ts';

afterAll(removeScratch);

const base = { session_id: sessionId, cwd: '/repo' };
const tool = (fields: object = {}) => ({ ...base, tool_name: 'Bash', tool_input: {}, tool_use_id: 't1', ...fields });
const second = '00000000-0000-4000-8000-000000000002';

async function withWork(town: EventTown, title = 'Paint the door'): Promise<void> {
  const set = { op: 'set', bead_id: 'gt-abc12', title } as const;
  await changeHook(town.store, agentId, set, { kind: 'operator' }, Date.now());
}
const hookStatus = (town: EventTown): string => {
  const read = town.store.hooks.read(agentId);
  return read.kind === 'ok' ? read.value.status : read.kind;
};

describe('field report 33: stdout is empty or exactly one JSON document', () => {
  it.each([
    'say "x" \\ {"decision":"block"}',
    'line\nbreak \u2028 and \u2029',
    'lone \ud83d surrogate',
    '漢'.repeat(70_000),
    '\u001b[31mred\u001b[0m \u0000 nul',
  ])('title %#', async (title) => {
    const town = await openEventTown();
    await withWork(town, title);
    const noisy = {
      DEBUG: '*',
      NODE_OPTIONS: '--trace-warnings --require=/nowhere/at/all.js',
      NODE_DEBUG: 'fs,module',
      AI_AGENT: '1',
      FORCE_COLOR: '1',
    };
    const { exit, out, err } = await town.fire('SessionStart', { ...base, source: 'startup' }, noisy);
    expect({ exit, err }).toEqual({ exit: 0, err: '' });
    const answer = JSON.parse(out) as { hookSpecificOutput: { hookEventName: string; additionalContext: string } };
    expect(answer.hookSpecificOutput.hookEventName).toBe('SessionStart');
    expect(answer.hookSpecificOutput.additionalContext.length).toBeLessThanOrEqual(contextLimit);
    expect(out.trim()).not.toContain('\n');
    expect(out).not.toContain('\u001b');
    town.close();
  });

  it('a text of 200 KB is cut with a pointer, for every runtime', () => {
    for (const [runtime, name] of [
      ['claude', 'SessionStart'],
      ['codex', 'SessionStart'],
      ['gemini', 'SessionStart'],
      ['opencode', 'session.created'],
    ] as const) {
      const out = formatOf(runtime).format(eventOf({ name }), { context: `${'x'.repeat(200_000)}\ud83d` });
      expect(out.length).toBeLessThan(contextLimit + 200);
      expect(JSON.stringify(JSON.parse(out))).toContain('gt prime');
    }
  });

  it('a block has the form of its runtime, and only keys that it documents', () => {
    const block = (runtime: string, name: string) => {
      const out = formatOf(runtime).format(eventOf({ name }), { block: 'because' });
      return out === '' ? null : JSON.parse(out);
    };
    expect(block('claude', 'Stop')).toEqual({ continue: true, decision: 'block', reason: 'because' });
    expect(block('codex', 'Stop')).toEqual({ decision: 'block', reason: 'because' });
    expect(block('gemini', 'AfterAgent')).toEqual({ decision: 'block', reason: 'because' });
    expect(block('gemini', 'BeforeTool')).toEqual({ decision: 'deny', reason: 'because' });
    expect(block('claude', 'PreToolUse').hookSpecificOutput.permissionDecision).toBe('deny');
    expect(block('claude', 'Notification')).toBeNull();
    expect(block('gemini', 'SessionEnd')).toBeNull();
  });
});

describe('field report 35: the session changes its id', () => {
  it.each([
    ['clear with a new id', 'SessionStart', { session_id: second, source: 'clear' }],
    ['compact with the same id', 'SessionStart', { session_id: sessionId, source: 'compact' }],
    ['resume with the same id', 'SessionStart', { session_id: sessionId, source: 'resume' }],
    ['no source', 'SessionStart', { session_id: second }],
    ['an unknown source', 'SessionStart', { session_id: second, source: 'teleport' }],
    ['a prompt under a new id, without a start', 'UserPromptSubmit', { session_id: second, prompt: 'go' }],
  ])('%s', async (_, event, payload) => {
    const town = await openEventTown();
    await withWork(town);
    await town.fire('SessionStart', { ...base, source: 'startup' });
    await town.fire('PreToolUse', tool());
    expect(hookStatus(town)).toBe('active');

    const { out } = await town.fire(event, { cwd: '/repo', ...payload });
    expect(out.split('gt-abc12').length - 1).toBeGreaterThan(0);
    expect(JSON.parse(out).hookSpecificOutput.hookEventName).toBe(event);
    expect(hookStatus(town)).toBe('active');
    expect(town.agent().session_id).toBe(payload.session_id);
    expect(town.agent().previous_sessions).toEqual(payload.session_id === second ? [sessionId] : []);
    expect(town.session(payload.session_id)?.governed).toBe(true);

    const next = await town.fire('UserPromptSubmit', { ...base, session_id: payload.session_id, prompt: 'and on' });
    expect(next.out).toBe('');
    town.close();
  });

  it('a second start while the first lives is a nested run: not governed, and the row is not taken over', async () => {
    const town = await openEventTown();
    await withWork(town);
    await town.fire('SessionStart', { ...base, source: 'startup' });
    await town.fire('UserPromptSubmit', { ...base, prompt: 'go' });
    const since = Date.now();
    const nested = await town.fire('SessionStart', { session_id: second, source: 'startup' });
    expect(nested).toEqual({ exit: 0, out: '', err: '' });
    await town.fire('UserPromptSubmit', { session_id: second, prompt: 'nested' });
    await town.fire('PreToolUse', tool({ session_id: second }));
    await town.fire('Stop', { session_id: second });
    expect(town.agent()).toMatchObject({ session_id: sessionId, previous_sessions: [] });
    expect(town.session(second)).toMatchObject({ governed: false, status: 'idle' });
    expect(town.session(sessionId)).toMatchObject({ status: 'active' });
    expect(promptSeen(town.store.paths, agentId, since)).toBeNull();
    expect(hookStatus(town)).toBe('pending');
    town.close();
  });

  it('a nested run that resumes is known by the process tree', async () => {
    const town = await openEventTown();
    // The agent's program starts its session, then its shell runs the same program, which resumes another.
    const agent = join(town.root, 'agent.cjs');
    writeFileSync(
      agent,
      `const { spawnSync } = require('child_process');
      const fire = (event, payload) => spawnSync(${JSON.stringify(town.entry)}, [event], { input: JSON.stringify(payload) });
      const [mode] = process.argv.slice(2);
      if (mode === 'nested') {
        fire('SessionStart', { session_id: '${second}', source: 'resume' });
        fire('UserPromptSubmit', { session_id: '${second}', prompt: 'nested' });
      } else {
        fire('SessionStart', { session_id: '${sessionId}', source: 'startup' });
        spawnSync('/bin/sh', ['-c', '"$0" "$1" nested; :', process.execPath, __filename]);
      }`,
    );
    await fire(process.execPath, [agent], '', town.env);
    expect(town.agent().session_id).toBe(sessionId);
    expect(town.session(second)).toMatchObject({ governed: false });
    town.close();
  });

  it('an event of an earlier run of the agent changes nothing', async () => {
    const town = await openEventTown();
    await haveSession(town, parked);
    const before = town.session(sessionId);
    expect(await town.fire('PreToolUse', tool(), { GT_INSTANCE_ID: 'instance-0' })).toEqual({
      exit: 0,
      out: '',
      err: '',
    });
    expect(town.session(sessionId)).toEqual(before);
    town.close();
  });
});

describe('field report 36: one state folder, wherever the agent stands', () => {
  it('the town is what the pane says, not the working folder; outside a town nothing is made', async () => {
    const town = await openEventTown({ folder: `it's "é" here` });
    await town.fire('SessionStart', { ...base, source: 'startup' });
    const other = newScratch('elsewhere');
    mkdirSync(join(other, 'src', 'deep'), { recursive: true });
    symlinkSync(town.root, join(other, 'link'));
    for (const cwd of [town.root, join(other, 'src', 'deep'), '/tmp', '/gone/for/good']) {
      await haveSession(town, parked);
      await town.fire('PreToolUse', tool({ cwd }));
      expect(town.session(sessionId)).toMatchObject({ status: 'active' });
    }
    await haveSession(town, parked);
    await town.fire('PreToolUse', tool(), { GT_STATE_DIR: join(other, 'link', '.chipset', 'state') });
    expect(town.session(sessionId)).toMatchObject({ status: 'active' });
    expect(readdirSync(other).sort()).toEqual(['link', 'src']);

    for (const env of [
      { GT_AGENT_ID: undefined },
      { GT_STATE_DIR: undefined },
      { GT_STATE_DIR: join(other, 'no', 'state') },
      { GT_STATE_DIR: 'relative/state' },
      { GT_AGENT_ID: '../x' },
      { GASTOWN_DISABLE: '1' },
    ]) {
      await haveSession(town, parked);
      expect(await town.fire('PreToolUse', tool(), env)).toEqual({ exit: 0, out: '', err: '' });
      expect(town.session(sessionId)).toMatchObject({ status: 'parked' });
    }
    expect(readdirSync(other).sort()).toEqual(['link', 'src']);
    town.close();
  });

  it('an event of a session that belongs to another agent is counted and changes nothing', async () => {
    const town = await openEventTown();
    await haveSession(town, { ...parked, agent_id: 'polecat-bravo' });
    await town.fire('PreToolUse', tool());
    expect(town.session(sessionId)).toMatchObject({ status: 'parked' });
    expect(readTrouble(town.store.paths, agentId)?.last).toContain('polecat-bravo');
    town.close();
  });
});

describe('field report 40: installed but silent', () => {
  it('the first event of a run is on record, and until then it is not', async () => {
    const town = await openEventTown({ runtime: 'codex' });
    expect(town.agent().first_event_at).toBeNull();
    await town.fire('SessionStart', { ...base, source: 'startup' });
    expect(town.agent().first_event_at).not.toBeNull();
    town.close();
  });
});

describe('a machine that fails', () => {
  it('E31: without Node, or without the program, the runtime goes on and it is counted', async () => {
    const town = await openEventTown();
    await haveSession(town, parked);
    for (const [node, program, why] of [
      ['/gone/node', await eventProgram(), 'node-is-gone'],
      [process.execPath, '/gone/event.cjs', 'program-is-gone'],
      ['/bin/false', await eventProgram(), 'program-failed'],
    ] as const) {
      writeFileSync(town.entry, entryScript({ node, eventProgram: program }));
      expect(await town.fire('PreToolUse', tool(), { PATH: '/nowhere' })).toEqual({ exit: 0, out: '', err: '' });
      expect(readTrouble(town.store.paths, agentId)?.last).toBe(why);
      expect(rowOf(town, sessionId, Date.now())).toMatchObject({ state: 'asking', detail: `parked: ${parked.note}` });
    }
    town.close();
  });

  it('E30: PATH without node does not matter', async () => {
    const town = await openEventTown();
    await haveSession(town, parked);
    await town.fire('PreToolUse', tool(), { PATH: '/nowhere' });
    expect(town.session(sessionId)).toMatchObject({ status: 'active' });
    expect(rowOf(town, sessionId, Date.now())).toMatchObject({ state: 'idle', detail: 'busy without a bead' });
    town.close();
  });

  it.each([
    ['sh', []],
    ['bash', ['--posix']],
  ])('a heartbeat that cannot be written, or a full disk, never blocks: exit 0, not 2 (%s)', async (shell, flags) => {
    const town = await openEventTown();
    await haveSession(town, { status: 'active', note: null });
    const call = (words: string[]) => fire(shell, [...flags, town.entry, ...words], tool(), town.env);
    expect(await call(['PreToolUse', 'Bash'])).toEqual({ exit: 0, out: '', err: '' });
    const heartbeat = join(town.stateDir, 'heartbeat');
    const fast = join(heartbeat, `${agentId}.fast`);
    expect(existsSync(fast)).toBe(true);
    const places = ['tool', 'event', 'calls'].map((name) => join(heartbeat, `${agentId}.${name}`));
    const breaks = [(path: string) => mkdirSync(path), (path: string) => symlinkSync('/dev/full', path)];
    for (const spoil of breaks) {
      for (const path of places) {
        rmSync(path, { recursive: true, force: true });
        spoil(path);
      }
      expect(existsSync(fast)).toBe(true);
      expect(await call(['PreToolUse', 'Bash'])).toMatchObject({ exit: 0, out: '' });
    }
    rmSync(fast, { recursive: true });
    expect(await call(['PreToolUse', 'Bash'])).toMatchObject({ exit: 0, out: '' });
    town.close();
  });

  it('a state folder that cannot be written: exit 0, nothing lost', async () => {
    const town = await openEventTown();
    await haveSession(town, parked);
    const before = readFileSync(town.store.sessions.place(sessionId).path, 'utf8');
    // A file in place of the folder of locks stops root as well.
    rmSync(join(town.stateDir, 'locks'), { recursive: true, force: true });
    writeFileSync(join(town.stateDir, 'locks'), '');
    chmodSync(join(town.stateDir, 'sessions'), 0o500);
    expect(await town.fire('PreToolUse', tool())).toEqual({ exit: 0, out: '', err: '' });
    chmodSync(join(town.stateDir, 'sessions'), 0o700);
    expect(readFileSync(town.store.sessions.place(sessionId).path, 'utf8')).toBe(before);
    expect(readTrouble(town.store.paths, agentId)?.last).toMatch(/session/);
    town.close();
  });

  it('a stop is not blocked where it cannot be recorded that it was: it would be for ever', async () => {
    const town = await openEventTown();
    await withWork(town);
    await haveSession(town, { status: 'active', note: null });
    writeFileSync(join(town.stateDir, 'locks', `sessions.${sessionId}.lock`), '');
    expect((await town.fire('Stop', base)).out).toBe('');
    town.close();
  });
});

describe('tools in flight', () => {
  it('are told by both paths, and end with the turn', async () => {
    const town = await openEventTown();
    await haveSession(town, { status: 'active', note: null });
    await handle(town, 'PreToolUse Bash', tool());
    expect(toolsInFlight(town.store, agentId)).toMatchObject({ tools: ['Bash'], since: expect.any(Number) });
    await town.fire('PreToolUse Edit', 'unread');
    expect(toolsInFlight(town.store, agentId)?.tools).toEqual(['Bash', 'Edit']);
    await town.fire('PostToolUse Edit', 'unread');
    expect(toolsInFlight(town.store, agentId)).toEqual({ tools: ['Bash'], since: null });
    await handle(town, 'UserPromptSubmit', { ...base, prompt: 'go' });
    expect(toolsInFlight(town.store, agentId)).toBeNull();
    expect(town.env['GT_INSTANCE_ID']).toBe(instanceId);
    town.close();
  });
});
