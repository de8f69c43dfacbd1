/** The measured edge cases E1–E36 of a freshness hook, each on the record and on the row (issue 4: "all 36 rows"). */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../src/domain/records.ts';
import { declareState } from '../../src/town/events/sessions.ts';
import { readTrouble } from '../../src/town/events/trouble.ts';
import {
  agentId,
  agentRecord,
  type EventTown,
  handle,
  haveSession,
  openEventTown,
  parked,
  removeScratch,
  sessionId,
} from './support/event-town.ts';
import { rowOf } from './support/row.ts';

let town: EventTown;
beforeAll(async () => {
  town = await openEventTown({ entry: false });
});
afterAll(removeScratch);

const stamp = { agent_id: 'a0000000000000010', agent_type: 'general-purpose' };
const tool = (fields: object = {}) => ({
  session_id: sessionId,
  cwd: '/repo',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't1',
  ...fields,
});
const inputFirst = (input: object) => ({
  ...Object.fromEntries([['tool_input', input]]),
  ...tool({ tool_input: input }),
});
const ask = (input: unknown, fields: object = {}) =>
  tool({ tool_name: 'AskUserQuestion', tool_input: input, tool_use_id: 'q1', ...fields });
const question = (text: string) => ({ questions: [{ question: text, options: [] }] });

const active = { status: 'active', note: null, proposal: null, tool_use_id: null };
const asking = (note: string) => ({ status: 'asking', note, proposal: null, tool_use_id: 'q1' });
const none = { ...parked, proposal: null, tool_use_id: null };

const text = (value: string) => ({ raw: value });

/** What the control pane shows for a record like that; an ungoverned session says nothing of its agent. */
function rowFor(record: object, governed = true): { state: string; detail: unknown } {
  const { status, note } = record as { status: string; note: string };
  if (!governed || status === 'active') return { state: 'idle', detail: expect.any(String) };
  return { state: 'asking', detail: status === 'parked' ? `parked: ${note}` : note };
}

const row = () => rowOf(town, sessionId, Date.now());

interface Row {
  row: string;
  payload: unknown;
  expected: object;
  start?: Partial<SessionRecord>;
  trouble?: RegExp;
  event?: string;
}

const rows: Row[] = [
  { row: 'E1 a plain tool flips', payload: tool(), expected: active },
  { row: 'E2 a subagent stamp before tool_input does not flip', payload: { ...stamp, ...tool() }, expected: none },
  { row: 'E3 a subagent stamp after tool_input does not flip', payload: { ...tool(), ...stamp }, expected: none },
  { row: 'E4 agent_id as a tool parameter flips', payload: tool({ tool_input: stamp }), expected: active },
  { row: 'E5 agent_id null flips', payload: tool({ agent_id: null }), expected: active },
  { row: 'E5 agent_id empty flips', payload: tool({ agent_id: '' }), expected: active },
  { row: 'E6 agent_id in another object flips', payload: { context: stamp, ...tool() }, expected: active },
  {
    row: 'E7 the stamp written with an escape does not flip',
    payload: text(JSON.stringify({ ...stamp, ...tool() }).replace('"agent_id"', '"agent\\u005fid"')),
    expected: none,
  },
  {
    row: 'E8 a newline between key and colon does not matter',
    payload: text(JSON.stringify({ ...stamp, ...tool() }).replace('"agent_id":', '"agent_id"\n:\n')),
    expected: none,
  },
  {
    row: 'E9 tool_input first, with a session_id of its own',
    payload: inputFirst({ session_id: 'other' }),
    expected: active,
  },
  {
    row: 'E10 a tool_name inside tool_input asks nothing',
    payload: inputFirst({ tool_name: 'AskUserQuestion' }),
    expected: active,
  },
  {
    row: 'E11 a prompt that mentions the keys is a prompt',
    payload: { session_id: sessionId, prompt: '"agent_id": "x", "tool_name": "AskUserQuestion"' },
    event: 'UserPromptSubmit',
    expected: active,
  },
  { row: 'E12 an empty payload changes nothing', payload: text(''), expected: none, trouble: /empty/ },
  {
    row: 'E13 a truncated payload changes nothing',
    payload: text(JSON.stringify(tool()).slice(0, 120)),
    expected: none,
    trouble: /malformed/,
  },
  { row: 'E14 not JSON', payload: text('hello'), expected: none, trouble: /malformed/ },
  { row: 'E14 a list', payload: text('[1]'), expected: none, trouble: /not an object/ },
  { row: 'E14 a numeric session id', payload: tool({ session_id: 7 }), expected: none, trouble: /no session id/ },
  { row: 'E14 a null session id', payload: tool({ session_id: null }), expected: none, trouble: /no session id/ },
  {
    row: 'E14 a session id that is a path',
    payload: tool({ session_id: '../../x' }),
    expected: none,
    trouble: /no session id/,
  },
  {
    row: 'E14 an unknown session id',
    payload: tool({ session_id: 'unknown' }),
    expected: none,
    trouble: /unknown session/,
  },
  {
    row: 'E15 a session id with an escape',
    payload: text(JSON.stringify(tool()).replace(sessionId, sessionId.replace('0', '\\u0030'))),
    expected: active,
  },
  { row: 'E16 an ungoverned record', payload: tool(), start: { ...parked, governed: false }, expected: none },
  { row: 'E19 active with a stale note', payload: tool(), start: { status: 'active', note: 'old' }, expected: active },
  {
    row: 'E19 active with a stale proposal',
    payload: tool(),
    start: { status: 'active', proposal: 'merge' },
    expected: active,
  },
  {
    row: 'E20 a nested status does not count',
    payload: tool(),
    start: { status: 'idle', note: null, pending: { status: 'active' } } as Partial<SessionRecord>,
    expected: active,
  },
  {
    row: 'E21 a question with quotes, backslash, newline, CJK, emoji',
    payload: ask(question('say "a\\b"\n漢字 🚀?')),
    expected: asking('say "a\\b"\n漢字 🚀?'),
  },
  {
    row: 'E22 a question with escapes and a surrogate pair',
    payload: text(JSON.stringify(ask(question('caf_ _?'))).replace('caf_ _', 'caf\\u00e9 \\ud83d\\ude80')),
    expected: asking('café 🚀?'),
  },
  {
    row: 'E22 a lone surrogate is replaced',
    payload: text(JSON.stringify(ask(question('x_'))).replace('x_', 'x\\ud83d')),
    expected: asking('x\ufffd'),
  },
  { row: 'E23 trailing newlines stay', payload: ask(question('why?\n\n')), expected: asking('why?\n\n') },
  {
    row: 'E24 a question that starts with an option',
    payload: ask(question('--note x')),
    expected: asking('--note x'),
  },
  { row: 'E25 no question field', payload: ask({}), expected: asking('') },
  {
    row: 'E26 two questions are joined and counted',
    payload: ask({ questions: [{ question: 'Red?' }, { question: 'Big?' }] }),
    expected: asking('(1/2) Red?\n(2/2) Big?'),
  },
  {
    row: 'E28 a question of a subagent keeps the declared state',
    payload: { ...stamp, ...ask(question('Sub?')) },
    expected: none,
  },
];

describe('the 36 rows, on the record and on the row (seed 003)', () => {
  it.each(rows)('$row', async ({ payload, expected, start, trouble, event }) => {
    rmSync(join(town.stateDir, 'heartbeat', `${agentId}.trouble`), { force: true });
    await haveSession(town, start ?? parked);
    const before = town.session(sessionId);
    const raw = typeof payload === 'object' && payload !== null && 'raw' in payload ? payload.raw : payload;
    expect(await handle(town, event ?? 'PreToolUse', raw)).toBe('');
    expect(town.session(sessionId)).toMatchObject(expected);
    expect(rowOf(town, sessionId, Date.now())).toMatchObject(rowFor(expected, start?.governed));
    if (expected === none)
      expect({ ...town.session(sessionId), subagent_question: null }).toEqual({ ...before, subagent_question: null });
    if (trouble) expect(readTrouble(town.store.paths, agentId)?.last).toMatch(trouble);
    else expect(readTrouble(town.store.paths, agentId)).toBeNull();
  });

  it('E16 no record, no folder, no store: nothing is made', async () => {
    const bare = await openEventTown({ entry: false });
    rmSync(bare.stateDir, { recursive: true });
    expect(await handle(bare, 'PreToolUse', tool())).toBe('');
    expect(() => readFileSync(bare.stateDir)).toThrow(/ENOENT/);
  });

  it('E17 a record on one line and one with CRLF are read', async () => {
    await haveSession(town, parked);
    const { path } = town.store.sessions.place(sessionId);
    for (const shape of [
      (json: string) => JSON.stringify(JSON.parse(json)),
      (json: string) => json.replaceAll('\n', '\r\n'),
    ]) {
      await haveSession(town, parked);
      writeFileSync(path, shape(readFileSync(path, 'utf8')));
      await handle(town, 'PreToolUse', tool());
      expect(town.session(sessionId)).toMatchObject(active);
      expect(row()).toMatchObject(rowFor(active));
    }
  });

  it('E18 a corrupt record is counted, left alone and never taken for none', async () => {
    await haveSession(town, parked);
    const { path } = town.store.sessions.place(sessionId);
    writeFileSync(path, '{"status": "par');
    expect(await handle(town, 'PreToolUse', tool())).toBe('');
    expect(readFileSync(path, 'utf8')).toBe('{"status": "par');
    expect(readTrouble(town.store.paths, agentId)?.last).toMatch(/corrupt/);
    // Nobody can read it, so the row says nothing of a declaration; that it is so tells `doctor`.
    expect(row()).toMatchObject({ state: 'idle' });
    rmSync(path);
  });

  it('E27 a question of 200 KiB is kept to 8 KiB with a mark', async () => {
    await haveSession(town, parked);
    await handle(town, 'PreToolUse', ask(question('漢'.repeat(70_000))));
    const note = town.session(sessionId)?.note ?? '';
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(8192);
    expect(note).toMatch(/^漢+… \[cut\]$/);
    expect(row()).toMatchObject({ state: 'asking', detail: note });
  });

  it('E28 the question of a subagent is shown beside the state until its own end', async () => {
    await haveSession(town, parked);
    await handle(town, 'PreToolUse', { ...ask(question('Sub?')), ...stamp });
    expect(town.session(sessionId)?.subagent_question).toMatchObject({ note: 'Sub?', tool_use_id: 'q1' });
    expect(row()).toMatchObject(rowFor(none));
    expect(row().evidence).toContain('a subagent asks: Sub?');
    await handle(town, 'PostToolUse', { ...ask(question('Sub?')), ...stamp });
    expect(town.session(sessionId)).toMatchObject({ ...none, subagent_question: null });
  });

  it("E29 the payload's session decides, whatever the environment says", async () => {
    await haveSession(town, parked);
    await handle({ ...town, env: { ...town.env, CLAUDE_CODE_SESSION_ID: 'other' } }, 'PreToolUse', tool());
    expect(town.session(sessionId)).toMatchObject(active);
    expect(row()).toMatchObject(rowFor(active));
  });

  it('E32 twelve writers at the same instant leave a whole record', async () => {
    await haveSession(town, parked);
    const now = Date.now();
    const events = Array.from({ length: 12 }, (_, index) =>
      handle(town, 'PreToolUse', index % 2 ? tool() : ask(question('Red?'), { tool_use_id: `q${index}` }), now),
    );
    await Promise.all(events);
    const after = town.session(sessionId);
    expect(['active', 'asking']).toContain(after?.status);
    expect(row()).toMatchObject(rowFor(after ?? {}));
  });

  it('E33 an empty lock holds an event up for 250 ms, then the update is dropped and counted', async () => {
    await haveSession(town, parked);
    const lock = join(town.stateDir, 'locks', `sessions.${sessionId}.lock`);
    writeFileSync(lock, '');
    expect(await handle(town, 'PreToolUse', tool())).toBe('');
    expect(town.session(sessionId)).toMatchObject(none);
    expect(row()).toMatchObject(rowFor(none));
    expect(readTrouble(town.store.paths, agentId)?.last).toMatch(/session: .*held/);
    rmSync(lock);
  });

  it('E34 an unknown status is refused by the writer and read as corrupt', async () => {
    await haveSession(town, parked);
    const bad = { ...parked, status: 'pondering' } as unknown as Partial<SessionRecord>;
    await expect(haveSession(town, bad)).rejects.toThrow(/refusing to write/);
    expect(town.session(sessionId)).toMatchObject(none);
    expect(row()).toMatchObject(rowFor(none));
  });

  it('E35 a declaration without a session is a refusal with its reason', async () => {
    const bare = await openEventTown({ entry: false });
    await expect(declareState(bare.store, agentId, { kind: 'idle', note: null }, 0)).rejects.toThrow(/no session/);
    await bare.store.agents.update(agentId, () => ({ ...agentRecord('claude'), session_id: 'gone' }));
    await expect(declareState(bare.store, agentId, { kind: 'idle', note: null }, 0)).rejects.toThrow(/no session/);
    expect(rowOf(bare, 'gone', Date.now())).toMatchObject({ state: 'idle', detail: '' });
  });

  it('E36 a prompt of 1 MB flips like any other', async () => {
    await haveSession(town, parked);
    await handle(town, 'UserPromptSubmit', { session_id: sessionId, prompt: 'x'.repeat(1_000_000) });
    expect(town.session(sessionId)).toMatchObject(active);
    expect(row()).toMatchObject(rowFor(active));
  });
});
