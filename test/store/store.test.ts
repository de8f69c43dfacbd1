import { mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldActivity, type Hook } from '../../src/domain/hook.ts';
import { toIso } from '../../src/domain/time.ts';
import { changeHook, readHook, writeActivity } from '../../src/store/hooks.ts';
import { leaseHolder, releaseLease, renewLease, takeLease } from '../../src/store/lease.ts';
import { openStore } from '../../src/store/store.ts';
import { program, scratch, start } from './scratch.ts';

const now = Date.parse('2026-03-05T12:00:00Z');
const alpha = { kind: 'agent', agent_id: 'a' } as const;
const working: Hook = {
  agent_id: 'a',
  status: 'active',
  work_item: { bead_id: 'gt-a', title: 't', assigned_at: toIso(now - 9_000) },
  last_activity: toIso(now - 9_000),
};

describe('decision 3: last_activity is the later of the file and the tool heartbeat', () => {
  test('for any times: never earlier, never from the future, the same object when nothing changes', () => {
    const times = fc.integer({ min: now - 100_000, max: now + 100_000 });
    fc.assert(
      fc.property(
        times,
        fc.option(times, { nil: null }),
        fc.constantFrom('pending', 'active', 'completed'),
        (at, tool, status) => {
          const hook = { ...working, status, last_activity: toIso(at) } as Hook;
          const folded = foldActivity(hook, tool, now);
          const later = tool !== null && tool > at && tool <= now + 5_000 && status !== 'completed';
          return later ? folded.last_activity === toIso(tool) : folded === hook;
        },
      ),
    );
  });

  test('whoever reads folds it in, whoever watches writes it', async () => {
    const store = openStore(scratch());
    await changeHook(store, 'a', { op: 'set', bead_id: 'gt-a', title: 't' }, { kind: 'sling' }, now - 60_000);
    await changeHook(store, 'a', { op: 'activate' }, alpha, now - 50_000);
    store.heartbeat.touch('a', 'tool', 'Bash');
    utimesSync(store.paths.heartbeat('a', 'tool'), (now - 1_000) / 1000, (now - 1_000) / 1000);
    expect(readHook(store, 'a', now)?.last_activity).toBe(toIso(now - 1_000));
    expect(store.hooks.read('a')).toMatchObject({ value: { last_activity: toIso(now - 50_000) } });
    expect(await writeActivity(store, 'a', now)).toBe(true);
    expect(store.hooks.read('a')).toMatchObject({ value: { last_activity: toIso(now - 1_000) } });
    expect(await writeActivity(store, 'a', now)).toBe(false);
  });
});

describe('heartbeats', () => {
  test('the mtime is the time, the word says which; none is none', () => {
    const store = openStore(scratch());
    expect(store.heartbeat.read('a', 'event')).toBeNull();
    store.heartbeat.touch('a', 'event', 'Pre Tool\n{"x":1}');
    expect(store.heartbeat.read('a', 'event')).toMatchObject({ word: 'PreToolx1' });
    expect(Math.abs((store.heartbeat.read('a', 'event')?.at ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(statSync(store.paths.heartbeat('a', 'event')).mode & 0o777).toBe(0o600);
  });
});

describe('mail', () => {
  const draft = {
    from: 'polecat-alpha',
    to: 'mayor',
    type: 'completion_report',
    subject: 's',
    body: 'b',
    payload: 'DONE: gt-a',
    channel: 'mail',
    durable: true,
    priority: 'normal',
    timestamp: toIso(now),
    read: false,
  } as const;

  test('fifty messages of one millisecond are fifty files; none overwrites another', () => {
    const store = openStore(scratch());
    const ids = Array.from({ length: 50 }, () => store.mail.create(draft).id);
    expect(new Set(ids).size).toBe(50);
    expect([...store.mail.list('mayor').keys()]).toEqual([...ids].sort());
    expect(readdirSync(store.paths.mailbox('mayor'))).toHaveLength(50);
    expect(store.mail.mailboxes()).toEqual(['mayor']);
  });

  test('is marked read, and moves to the archive', async () => {
    const store = openStore(scratch());
    const { id } = store.mail.create(draft);
    expect(await store.mail.markRead('mayor', id)).toMatchObject({ id, read: true });
    await store.mail.archive('mayor', id);
    expect([...store.mail.list('mayor').keys()]).toEqual([]);
    expect([...store.mail.list('mayor', 'archive').keys()]).toEqual([id]);
    await expect(store.mail.archive('mayor', id)).rejects.toMatchObject({ exit: 3 });
    await expect(store.mail.markRead('mayor', id)).rejects.toMatchObject({ exit: 3 });
    await expect(store.mail.markRead('mayor', '../../town')).rejects.toMatchObject({ exit: 1 });
  });

  test('field report 11: a malformed sender or receiver is refused before anything is written', () => {
    const folder = scratch();
    const store = openStore(folder);
    expect(() => store.mail.create({ ...draft, to: '../x' })).toThrow(/not a valid agent name/);
    expect(() => store.mail.create({ ...draft, from: 'A' })).toThrow(/not a valid agent name/);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('field report 23: the lease of the deacon', () => {
  const lease = (fields: object): string =>
    JSON.stringify({
      pid: process.pid,
      pid_started: 'yesterday',
      hostname: hostname(),
      taken_at: toIso(now - 86_400_000),
      tick_at: toIso(now - 86_400_000),
      ...fields,
    });
  test.each([
    ['whose pid is another program’s now', lease({})],
    ['of another machine, silent since yesterday', lease({ hostname: 'elsewhere' })],
    ['that is an empty file', ''],
  ])('a lease %s is taken over', async (_what, text) => {
    const store = openStore(scratch());
    mkdirSync(store.paths.deaconDir);
    writeFileSync(store.paths.lease, text);
    expect(await takeLease(store, now)).toMatchObject({ pid: process.pid, hostname: hostname() });
    expect(await renewLease(store, now + 1)).toBe(true);
    expect(await releaseLease(store)).toBe(true);
    expect(store.lease.read()).toEqual({ kind: 'absent' });
    expect(await renewLease(store, now + 2)).toBe(false);
  });

  test('of two at once exactly one runs, the other is exit 5; a dead one is followed', async () => {
    const store = openStore(scratch());
    const taker = await program('take-lease');
    const both = [start(taker, store.paths.stateDir), start(taker, store.paths.stateDir)];
    const codes = await Promise.race(both.map(({ ended }) => ended));
    expect(codes).toMatchObject({ code: 5 });
    const read = store.lease.read();
    if (read.kind !== 'ok') throw new Error(read.kind);
    expect(leaseHolder(read.value, Date.now())).toBe('alive');
    await expect(takeLease(store, Date.now())).rejects.toMatchObject({ exit: 5 });
    const holder = both.find(({ child }) => child.pid === read.value.pid);
    holder?.child.kill('SIGKILL');
    await holder?.ended;
    expect(leaseHolder(read.value, Date.now())).toBe('gone');
    expect(await takeLease(store, Date.now())).toMatchObject({ pid: process.pid });
  });
});

test('a thousand hooks are read without one that is lost, corrupt ones among them', async () => {
  const store = openStore(scratch());
  mkdirSync(store.paths.hooksDir);
  for (let index = 0; index < 1_000; index += 1) {
    const text = JSON.stringify({ ...working, agent_id: `a${index}` });
    writeFileSync(store.paths.hook(`a${index}`), index % 100 === 7 ? text.slice(0, 50) : text);
  }
  writeFileSync(`${store.paths.hooksDir}/NOT-an-agent.json`, '{}');
  const all = store.hooks.readAll();
  expect(all.size).toBe(1_000);
  expect([...all.values()].filter(({ kind }) => kind === 'corrupt')).toHaveLength(10);
});

describe('what is read is what is on disk', () => {
  const write = (path: string, title: string): void =>
    writeFileSync(path, JSON.stringify({ ...working, work_item: { ...working.work_item, title } }));

  test('when a file is written again and again with the same size, in place and by rename', () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir);
    const path = store.paths.hook('a');
    for (let round = 100; round < 400; round += 1) {
      if (round % 2 === 0) write(path, String(round));
      else {
        write(`${path}.new`, String(round));
        renameSync(`${path}.new`, path);
      }
      expect(store.hooks.read('a')).toMatchObject({ value: { work_item: { title: String(round) } } });
    }
  });

  test('an unchanged file gives the same object, which nobody can change for the others', async () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir);
    const path = store.paths.hook('a');
    write(path, 'one');
    utimesSync(path, 1_000, 1_000);
    const first = store.hooks.read('a');
    expect(store.hooks.read('a')).toBe(first);
    if (first.kind !== 'ok') throw new Error(first.kind);
    expect(() => Object.assign(first.value, { status: 'empty' })).toThrow(TypeError);
    expect(() => Object.assign(first.value.work_item ?? {}, { title: 'x' })).toThrow(TypeError);
    write(path, 'two');
    expect(store.hooks.read('a')).toMatchObject({ value: { work_item: { title: 'two' } } });
  });
});

test('any other record below the state folder, and removal under the lock', async () => {
  const { modeSchema } = await import('./mode-schema.ts');
  const store = openStore(scratch());
  const mode = store.record('modes/s-1/ralph.json', modeSchema);
  expect(mode.read()).toEqual({ kind: 'absent' });
  await mode.update((current) => ({ active: true, iteration: (current?.iteration ?? 0) + 1 }));
  expect(mode.read()).toMatchObject({ value: { iteration: 1 } });
  expect(await mode.remove((read) => read.kind === 'ok' && read.value.iteration > 1)).toBe(false);
  expect(await mode.remove()).toBe(true);
  expect(await mode.remove()).toBe(false);
});
