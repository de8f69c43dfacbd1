import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { sweepTemps } from '../../src/store/atomic-write.ts';
import { changeHook } from '../../src/store/hooks.ts';
import { openStore } from '../../src/store/store.ts';
import { neverStarted } from '../../src/town/launch.ts';
import { memoryScratch, program, scratch, start } from './scratch.ts';

// Thousands of real writes by real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const set = { op: 'set', bead_id: 'gt-abc12', title: 'Add README section' } as const;
const sling = { kind: 'sling' } as const;
const alpha = { kind: 'agent', agent_id: 'polecat-alpha' } as const;

describe('a hook on disk', () => {
  test('seed 000: the file has the shape and the name of the seed, sorted keys and a final newline', async () => {
    const store = openStore(join(scratch(), '.chipset', 'state'));
    await changeHook(store, 'polecat-alpha', set, sling, Date.parse('2026-03-05T10:30:00Z'));
    const text = readFileSync(store.paths.hook('polecat-alpha'), 'utf8');
    expect(text).toBe(`{
  "agent_id": "polecat-alpha",
  "last_activity": "2026-03-05T10:30:00.000Z",
  "status": "pending",
  "work_item": {
    "assigned_at": "2026-03-05T10:30:00.000Z",
    "bead_id": "gt-abc12",
    "title": "Add README section"
  }
}
`);
  });

  test('folders are 0700 and files 0600, made on the first write and not before', async () => {
    const root = scratch();
    const store = openStore(join(root, '.chipset', 'state'));
    expect(store.hooks.read('polecat-alpha')).toEqual({ kind: 'absent' });
    expect(store.hooks.list()).toEqual([]);
    expect(readdirSync(root)).toEqual([]);
    await changeHook(store, 'polecat-alpha', set, sling, 0);
    expect(statSync(store.paths.hooksDir).mode & 0o777).toBe(0o700);
    expect(statSync(store.paths.hook('polecat-alpha')).mode & 0o777).toBe(0o600);
    expect(readdirSync(store.paths.hooksDir)).toEqual(['polecat-alpha.json']);
  });

  test('the whole life of a hook, and unknown keys survive it', async () => {
    const store = openStore(scratch());
    await changeHook(store, 'polecat-alpha', set, sling, 1);
    await store.hooks.update('polecat-alpha', (hook) => hook && { ...hook, x_note: { kept: [1, 2] } });
    for (const op of ['activate', 'touch', 'complete'] as const) {
      expect((await changeHook(store, 'polecat-alpha', { op }, alpha, 2)).changed).toBe(true);
    }
    await changeHook(store, 'polecat-alpha', { op: 'clear' }, { kind: 'operator' }, 3);
    expect(store.hooks.read('polecat-alpha')).toMatchObject({
      kind: 'ok',
      value: { status: 'empty', work_item: null, x_note: { kept: [1, 2] } },
    });
  });

  test('decision 1: what the table does not allow is exit 5, and not a byte of the file changes', async () => {
    const store = openStore(scratch());
    await changeHook(store, 'polecat-alpha', set, sling, 1);
    const before = readFileSync(store.paths.hook('polecat-alpha'));
    await expect(changeHook(store, 'polecat-alpha', set, sling, 2)).rejects.toMatchObject({ exit: 5 });
    await expect(changeHook(store, 'polecat-alpha', { op: 'complete' }, alpha, 2)).rejects.toMatchObject({ exit: 5 });
    expect((await changeHook(store, 'polecat-alpha', { op: 'touch' }, alpha, 2)).changed).toBe(false);
    expect(readFileSync(store.paths.hook('polecat-alpha'))).toEqual(before);
  });
});

describe('many records put at once', () => {
  const run = (agent_id: string) => ({
    ...neverStarted({ agent_id, role: 'polecat', runtime: 'sim', permissions: 'default', args: [], env: {} }),
    pid: 4711,
  });

  test('each is on disk whole, and nothing is left beside them', async () => {
    const store = openStore(scratch());
    const ids = Array.from({ length: 30 }, (_, index) => `polecat-${index + 1}`);
    expect(await store.agents.putAll(new Map(ids.map((id) => [id, run(id)])))).toEqual(new Map());
    for (const id of ids)
      expect(store.agents.read(id)).toMatchObject({ kind: 'ok', value: { agent_id: id, pid: 4711 } });
    expect(readdirSync(store.agents.dir).length).toBe(30);
  });

  test('one that cannot be read stays as it is and fails alone', async () => {
    const store = openStore(scratch());
    await store.agents.putAll(new Map([['polecat-b', run('polecat-b')]]));
    writeFileSync(join(store.agents.dir, 'polecat-b.json'), '{"agent_id": "pol');
    const failed = await store.agents.putAll(
      new Map(['a', 'b', 'c'].map((id) => [`polecat-${id}`, run(`polecat-${id}`)])),
    );
    expect([...failed.keys()]).toEqual(['polecat-b']);
    expect(failed.get('polecat-b')).toMatchObject({ exit: 4 });
    expect(readFileSync(join(store.agents.dir, 'polecat-b.json'), 'utf8')).toBe('{"agent_id": "pol');
    expect(store.agents.read('polecat-c').kind).toBe('ok');
    expect(readdirSync(store.agents.dir).toSorted()).toEqual(['a', 'b', 'c'].map((id) => `polecat-${id}.json`));
  });
});

describe('a corrupt record is never "no work"', () => {
  const whole = '{"agent_id":"polecat-alpha","status":"empty","work_item":null,"last_activity":"2026-03-05T10:30:00Z"}';
  test.each([
    ['truncated', whole.slice(0, 40)],
    ['empty', ''],
    ['NUL-filled', '\0'.repeat(200)],
    ['not JSON', 'garbage'],
    ['a list', '[]'],
    ['null', 'null'],
    ['an unknown status', whole.replace('empty', 'parked')],
    ['the hook of another agent', whole.replace('polecat-alpha', 'polecat-bravo')],
    ['a time without a zone', whole.replace('00Z', '00')],
    ['pending without work', whole.replace('empty', 'pending')],
    ['larger than 1 MiB', `${whole}${' '.repeat(1_100_000)}`],
  ])('%s: copied to quarantine once, left where it is, exit 4 for a writer', async (_what, content) => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir, { recursive: true });
    const path = store.paths.hook('polecat-alpha');
    writeFileSync(path, content);
    const read = store.hooks.read('polecat-alpha');
    if (read.kind !== 'corrupt') throw new Error(`read as ${read.kind}`);
    expect(readFileSync(read.quarantine ?? '', 'utf8')).toBe(content);
    expect(store.hooks.read('polecat-alpha')).toEqual(read);
    await expect(changeHook(store, 'polecat-alpha', set, sling, 1)).rejects.toMatchObject({ exit: 4 });
    expect(readFileSync(path, 'utf8')).toBe(content);
    expect(readdirSync(store.paths.quarantineDir)).toHaveLength(1);
    writeFileSync(path, `${content}x`);
    if (content !== '') expect(store.hooks.read('polecat-alpha').kind).toBe('corrupt');
    writeFileSync(path, whole);
    expect(store.hooks.read('polecat-alpha').kind).toBe('ok');
  });

  test('bytes that are not UTF-8 reach the quarantine unchanged', () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir, { recursive: true });
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x7d]);
    writeFileSync(store.paths.hook('polecat-alpha'), bytes);
    const read = store.hooks.read('polecat-alpha');
    expect(read.kind === 'corrupt' && readFileSync(read.quarantine ?? '').equals(bytes)).toBe(true);
  });

  test('a folder in the place of a record is unreadable, not absent', async () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hook('polecat-alpha'), { recursive: true });
    expect(store.hooks.read('polecat-alpha').kind).toBe('unreadable');
    await expect(changeHook(store, 'polecat-alpha', set, sling, 1)).rejects.toMatchObject({ exit: 4 });
  });

  test('a file in the place of the state folder is unreadable, not absent', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'state'), 'x');
    const store = openStore(join(folder, 'state'));
    expect(store.hooks.read('polecat-alpha').kind).toBe('unreadable');
  });
});

describe('names', () => {
  test.each(['../../x', '__proto__', 'a/b', 'é', 'fix:12', 'v1.2', 'a b', '', 'A', `a${'b'.repeat(300)}`, '-x', '.'])(
    'field report 11: %j never becomes a path (exit 1), and nothing is written',
    (name) => {
      const folder = scratch();
      const store = openStore(folder);
      expect(() => store.hooks.read(name)).toThrow(/not a valid agent name/);
      expect(() => store.hooks.update(name, () => null)).toThrow(/not a valid agent name/);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('a record with the key __proto__ pollutes nothing', async () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir, { recursive: true });
    const hook = '{"agent_id":"a","status":"empty","work_item":null,"last_activity":"2026-03-05T10:30:00Z"';
    writeFileSync(store.paths.hook('a'), `${hook},"__proto__":{"polluted":true},"constructor":1}`);
    const read = store.hooks.read('a');
    expect(read.kind).toBe('ok');
    await store.hooks.update('a', (value) => value && { ...value, seen: true });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('field report 27: many writers of one file', () => {
  test('4 processes × 500 writes and a reader that parses all the time: no error, no torn read, no lost update', async () => {
    const store = openStore(memoryScratch());
    const writer = await program('write-hook');
    const writers = ['a', 'b', 'c', 'd'].map((name) => start(writer, store.paths.stateDir, '500', name));
    let running = true;
    const all = Promise.all(writers.map((one) => one.ended)).finally(() => {
      running = false;
    });
    let reads = 0;
    while (running) {
      for (let burst = 0; burst < 20; burst += 1) {
        const { kind } = store.hooks.read('polecat-alpha');
        if (kind !== 'ok' && !(kind === 'absent' && reads === 0)) throw new Error(`read ${kind} after ${reads} reads`);
        if (kind === 'ok') reads += 1;
      }
      await new Promise((done) => setTimeout(done, 2));
    }
    for (const ended of await all) expect(ended).toMatchObject({ code: 0, stderr: '', stdout: 'done\n' });
    expect(reads).toBeGreaterThan(0);
    expect(store.hooks.read('polecat-alpha')).toMatchObject({ kind: 'ok', value: { writes: 2_000 } });
    expect(readdirSync(store.paths.hooksDir)).toEqual(['polecat-alpha.json']);
    expect(readdirSync(store.paths.locksDir)).toEqual([]);
  });

  test('4 worker threads of one process, which share its pid: no lost update', async () => {
    const store = openStore(memoryScratch());
    const writer = await program('write-hook');
    const workers = ['a', 'b', 'c', 'd'].map(
      (name) => new Worker(writer, { argv: [store.paths.stateDir, '100', name], stdout: true }),
    );
    const codes = await Promise.all(workers.map((worker) => new Promise((done) => worker.once('exit', done))));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(store.hooks.read('polecat-alpha')).toMatchObject({ kind: 'ok', value: { writes: 400 } });
    expect(readdirSync(store.paths.hooksDir)).toEqual(['polecat-alpha.json']);
  });

  test('100 tasks of one process: every update is in the file', async () => {
    const store = openStore(scratch());
    await changeHook(store, 'polecat-alpha', set, sling, 1);
    const add = () =>
      store.hooks.update('polecat-alpha', (hook) => hook && { ...hook, count: Number(hook['count'] ?? 0) + 1 });
    await Promise.all(Array.from({ length: 100 }, add));
    expect(store.hooks.read('polecat-alpha')).toMatchObject({ value: { count: 100 } });
  });

  test('three stale temp files of a killed writer are not shown, and swept once they are older than a minute', async () => {
    const store = openStore(scratch());
    await changeHook(store, 'polecat-alpha', set, sling, 1);
    const now = Date.now();
    for (const [index, ageMs] of [70_000, 61_000, 10_000].entries()) {
      const path = join(store.paths.hooksDir, `.polecat-alpha.json.99999.${'a'.repeat(11)}${index}.tmp`);
      writeFileSync(path, '{"agent_id":');
      utimesSync(path, (now - ageMs) / 1000, (now - ageMs) / 1000);
    }
    expect(store.hooks.list()).toEqual(['polecat-alpha']);
    expect([...store.hooks.readAll().keys()]).toEqual(['polecat-alpha']);
    expect(sweepTemps(store.paths.hooksDir, now)).toBe(2);
    expect(readdirSync(store.paths.hooksDir)).toHaveLength(2);
  });

  test('a writer that is killed leaves the old record or the new one, never half of one', async () => {
    const store = openStore(memoryScratch());
    const writer = await program('write-hook');
    for (let round = 0; round < 4; round += 1) {
      const { child, ended } = start(writer, store.paths.stateDir, '100000', `w${round}`);
      const before = store.hooks.read('polecat-alpha');
      const count = before.kind === 'ok' ? Number(before.value['writes']) : 0;
      for (;;) {
        const read = store.hooks.read('polecat-alpha');
        if (read.kind === 'ok' && Number(read.value['writes']) > count + 5 + round * 3) break;
        await new Promise((done) => setTimeout(done, 3));
      }
      child.kill('SIGKILL');
      await ended;
      const { value } = await store.hooks.update('polecat-alpha', (hook) => hook && { ...hook, after: round });
      expect(value).toMatchObject({ after: round });
    }
  });
});

test('a losing set-hook is a typed conflict: 4 processes × 60 rounds, exactly one winner each, no torn file', async () => {
  const store = openStore(memoryScratch());
  const setter = await program('set-hook');
  const names = ['a', 'b', 'c', 'd'];
  const ended = await Promise.all(names.map((name) => start(setter, store.paths.stateDir, '60', name).ended));
  for (const { code, stderr } of ended) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const winners = new Map<number, string>();
  for (const [index, { stdout }] of ended.entries()) {
    for (const round of JSON.parse(stdout) as number[]) {
      expect(winners.has(round)).toBe(false);
      winners.set(round, names[index] ?? '');
    }
  }
  expect(winners.size).toBe(60);
  for (const [round, name] of winners) {
    expect(store.hooks.read(`agent-${round}`)).toMatchObject({
      kind: 'ok',
      value: { work_item: { bead_id: `gt-${name}` } },
    });
  }
  expect(existsSync(store.paths.quarantineDir)).toBe(false);
});
