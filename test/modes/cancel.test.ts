/** Field report 44: a cancelled loop resurrects itself. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeEvents } from '../../src/runtimes/claude/events.ts';
import { ownIdentity } from '../../src/store/process-identity.ts';
import { answerStop } from '../../src/town/modes/at-stop.ts';
import { cancelModes } from '../../src/town/modes/cancel.ts';
import { changeMode } from '../../src/town/modes/change.ts';
import { moveModes } from '../../src/town/modes/follow.ts';
import { isRunnable } from '../../src/town/modes/gates.ts';
import { pruneModes } from '../../src/town/modes/prune.ts';
import { modeRecordsOf } from '../../src/town/modes/records.ts';
import { type ModeStart, startMode } from '../../src/town/modes/start.ts';
import { modeSlot } from '../../src/town/modes/state.ts';
import { todoCount } from '../../src/town/modes/todos.ts';
import { handlerSlot, readState, writeState } from '../../src/town/state.ts';
import {
  agentId,
  type EventTown,
  haveSession,
  openEventTown,
  removeScratch,
  sessionId,
} from '../events/support/event-town.ts';
import { gastown } from '../support/in-process.ts';

let town: EventTown;
beforeEach(async () => {
  town = await openEventTown({ entry: false });
  await haveSession(town, { status: 'active' });
  writeFileSync(
    join(town.root, 'prd.json'),
    JSON.stringify({ userStories: [{ id: 'US-001', title: 'a story', passes: false }] }),
  );
});
afterEach(() => town.close());
afterAll(removeScratch);

const start = (mode: ModeStart['mode'], fields: Partial<ModeStart> = {}) =>
  startMode(town.store, { mode, agentId, goal: 'make it right', by: 'operator', way: null, ...fields }, Date.now());

const stopping = (session = sessionId, beforeWrite?: () => Promise<void>) => {
  const record = town.session(session);
  if (record === null) throw new Error('no session');
  return answerStop({
    store: town.store,
    agent: town.agent(),
    session: record,
    event: claudeEvents.parse('Stop', { session_id: session, hook_event_name: 'Stop', background_tasks: [] }),
    now: Date.now(),
    ...(beforeWrite ? { beforeWrite } : {}),
  });
};

const cli = (...words: string[]) => gastown(town, ['mode', ...words], { env: { GT_AGENT_ID: undefined } });
const filesOf = (session = sessionId): string[] => {
  const path = town.store.paths.sessionModes(session);
  return existsSync(path) ? readdirSync(path) : [];
};

describe('field report 44: a cancelled mode stays cancelled', () => {
  it('cancel between a stop’s read and its write: no block, no file comes back, three stops on', async () => {
    await start('ralph');
    let reached = (): void => {};
    let release = (): void => {};
    const hasRead = new Promise<void>((done) => {
      reached = done;
    });
    const held = new Promise<void>((done) => {
      release = done;
    });
    const racing = stopping(sessionId, () => {
      reached();
      return held;
    });
    await hasRead;
    const { code, out } = await cli('cancel', agentId);
    release();
    expect(code).toBe(0);
    expect(out).toContain('cancelled ralph');
    expect(filesOf()).toEqual([]);
    expect((await racing).block).toBeNull();
    for (let again = 0; again < 3; again += 1) expect((await stopping()).block).toBeNull();
    expect(filesOf()).toEqual([]);
  });

  it('a write-back of what was read before the cancel is refused, and so is one into a successor', async () => {
    const { record } = await start('ralph');
    await cancelModes(town.store, { agentId, mode: null, by: 'operator' }, Date.now());
    expect(await changeMode(town.store, record, (current) => ({ ...current, iteration: 7 }))).toBeNull();
    expect(filesOf()).toEqual([]);
    const second = await start('ralph');
    expect(await changeMode(town.store, record, (current) => ({ ...current, iteration: 7 }))).toBeNull();
    expect(modeRecordsOf(town.store, sessionId)).toMatchObject([{ run_id: second.record.run_id, iteration: 0 }]);
  });

  it('a file of a cancelled run that somebody puts back holds nobody and cannot be changed', async () => {
    const { record } = await start('ralph');
    const path = town.store.paths.mode(sessionId, 'ralph');
    const text = readFileSync(path, 'utf8');
    await cancelModes(town.store, { agentId, mode: null, by: 'operator' }, Date.now() - 60_000);
    writeFileSync(path, text);
    expect((await stopping()).block).toBeNull();
    expect(await changeMode(town.store, record, (current) => ({ ...current, iteration: 7 }))).toBeNull();
    expect((await cli('status')).out).toContain('no mode is active');
  });

  it('tombstones nobody can read hold no stop, and cancel says so', async () => {
    await start('ralph');
    await cancelModes(town.store, { agentId: 'polecat-nobody', mode: null, by: 'operator' }, Date.now());
    mkdirSync(town.store.paths.modesDir, { recursive: true });
    writeFileSync(town.store.paths.cancelledModes, '{');
    await expect(stopping()).rejects.toThrow(/cancelled.json is corrupt/);
    expect((await cli('cancel', agentId)).code).toBe(4);
  });

  it('active: false is respected', async () => {
    const { record } = await start('ralph');
    await writeState(town.store, modeSlot(town.store, sessionId, 'ralph'), () => ({ ...record, active: false }));
    expect((await stopping()).block).toBeNull();
    expect(await changeMode(town.store, record, (current) => ({ ...current, iteration: 7 }))).toBeNull();
  });

  it('cancel with nothing active exits 3 and says so', async () => {
    const { code, err } = await cli('cancel');
    expect(code).toBe(3);
    expect(err).toContain('nothing active');
  });

  it('linked ultrawork and ralph go with one command, which says what it cleared', async () => {
    const { record } = await start('ralph');
    await start('ultrawork', { linkedTo: record.run_id });
    const { code, out } = await cli('cancel', agentId, 'ralph', '--json');
    expect(code).toBe(0);
    const { cancelled } = JSON.parse(out) as { cancelled: { mode: string; path: string }[] };
    expect(cancelled.map(({ mode }) => mode).sort()).toEqual(['ralph', 'ultrawork']);
    expect(filesOf()).toEqual([]);
    expect((await stopping()).block).toBeNull();
  });

  it('begun in one session, resumed in another, cancelled from there', async () => {
    const second = '00000000-0000-4000-8000-000000000002';
    await start('ralph');
    await haveSession(town, { status: 'active' }, second);
    expect(await moveModes(town.store, sessionId, { sessionId: second, instanceId: null })).toBe(1);
    expect((await cli('cancel', agentId)).code).toBe(0);
    expect([filesOf(), filesOf(second)]).toEqual([[], []]);
    expect((await stopping(second)).block).toBeNull();
    expect((await stopping()).block).toBeNull();
  });

  it('a move that raced with the cancel brings nothing back', async () => {
    const second = '00000000-0000-4000-8000-000000000002';
    const { record } = await start('ralph');
    await cancelModes(town.store, { agentId, mode: null, by: 'operator' }, Date.now());
    await writeState(town.store, modeSlot(town.store, sessionId, 'ralph'), () => record);
    expect(await moveModes(town.store, sessionId, { sessionId: second, instanceId: null })).toBe(0);
    expect(filesOf(second)).toEqual([]);
  });

  it('the limit does not move by itself: it ends the run', async () => {
    const { record } = await start('ralph', { maxIterations: 1 });
    expect((await stopping()).block).not.toBeNull();
    town.store.heartbeat.touch(agentId, 'tool', 'PostToolUse');
    expect((await stopping()).block).toBeNull();
    expect(modeRecordsOf(town.store, sessionId)).toMatchObject([
      { active: false, max_iterations: 1, run_id: record.run_id },
    ]);
  });

  it('200 cancels against 200 racing stops: once cancel has answered, no stop is ever held', async () => {
    for (let round = 0; round < 40; round += 1) {
      await start('ralph');
      const stops = Array.from({ length: 5 }, () =>
        stopping(sessionId, () => new Promise((done) => setTimeout(done, Math.random() * 4))),
      );
      await new Promise((done) => setTimeout(done, Math.random() * 4));
      await cancelModes(town.store, { agentId, mode: null, by: 'operator' }, Date.now() - 60_000);
      expect((await stopping()).block).toBeNull();
      await Promise.all(stops);
      expect(filesOf()).toEqual([]);
      expect((await stopping()).block).toBeNull();
    }
  });
});

describe('field report 46 as far as it touches modes: a store nobody can read keeps others going', () => {
  it('a corrupt record of one mode: it is shown, another mode starts and is heard', async () => {
    const { record } = await start('swarm');
    writeFileSync(town.store.paths.mode(record.session_id, 'swarm'), 'SQLite?');
    await start('ralph');
    expect((await stopping()).block).toContain('US-001');
    const { code, out } = await cli('status');
    expect(code).toBe(0);
    expect(out).toContain('swarm.json cannot be read');
  });
});

describe('readState and writeState', () => {
  it('handlers and modes keep their state through the one pair; nothing there is an answer of its own', async () => {
    const slot = handlerSlot(town.store, 'todo-continuation', sessionId, todoCount);
    expect(readState(town.store, slot).kind).toBe('absent');
    await writeState(town.store, slot, () => ({ pending: 1, in_progress: 0, completed: 0, next: null }));
    const read = readState(town.store, slot);
    expect(read.kind === 'ok' && read.value.pending).toBe(1);
    writeFileSync(slot.path, '{');
    expect(readState(town.store, slot).kind).toBe('corrupt');
    await expect(writeState(town.store, slot, () => null)).rejects.toThrow(/corrupt/);
  });

  it('housekeeping removes what is over of sessions nobody has, and nothing of a present one', async () => {
    const old = Date.now() - 48 * 3_600_000;
    const second = '00000000-0000-4000-8000-000000000002';
    await startMode(town.store, { mode: 'ralph', agentId, goal: '', by: 'operator', way: null }, old);
    await haveSession(town, { status: 'active' }, second);
    await startMode(town.store, { mode: 'autopilot', agentId, goal: '', by: 'operator', way: null }, old);
    expect(await pruneModes({ store: town.store, clock: Date.now })).toBe(1);
    expect(existsSync(town.store.paths.sessionModes(sessionId))).toBe(false);
    expect(filesOf(second)).toEqual(['autopilot.json']);
  });

  it('commands whose runner died are run again, those of a living one are not', async () => {
    const { record } = await start('ultraqa', { options: { command: 'true' }, way: 'type' });
    expect(isRunnable(record)).toBe(true);
    const runner = { ...ownIdentity() };
    const claimed =
      record.next?.kind === 'run' ? { ...record, next: { ...record.next, running: true, runner } } : record;
    expect(isRunnable(claimed)).toBe(false);
    const dead = { ...runner, pid_started: 'long ago' };
    const left =
      record.next?.kind === 'run' ? { ...record, next: { ...record.next, running: true, runner: dead } } : record;
    expect(isRunnable(left)).toBe(true);
  });

  it('of two starts that exclude each other exactly one wins', async () => {
    const results = await Promise.allSettled([
      start('autopilot'),
      start('pipeline', { options: { stages: ['a'] } }),
      start('autopilot'),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    expect(modeRecordsOf(town.store, sessionId).filter(({ active }) => active).length).toBe(1);
  });
});
