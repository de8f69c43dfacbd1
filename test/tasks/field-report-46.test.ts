/** Field report 46: a store that is held, corrupt, not writable, left by a kill, or without its native module. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { statePaths } from '../../src/store/paths.ts';
import { builtInSqlite } from '../../src/store/tasks/built-in.ts';
import { loadSqlite } from '../../src/store/tasks/native.ts';
import { journalModeFor } from '../../src/store/tasks/open.ts';
import { openTasks, type TaskStore } from '../../src/store/tasks/tasks.ts';
import { scratch, start } from '../store/scratch.ts';
import { removePrograms, taskProgram } from './support.ts';

afterAll(removePrograms);

const newPlace = () => {
  const stateDir = scratch('tasks');
  return { stateDir, path: statePaths(stateDir).swarmDb };
};
const open = async (place: ReturnType<typeof newPlace>, waitMs?: number): Promise<TaskStore> => {
  const store = await openTasks(place, waitMs === undefined ? {} : { waitMs });
  if (store === null) throw new Error('not made');
  return store;
};
const roof = { title: 'Mend the roof', description: '', priority: 'P2' } as const;
const claimer = { holder: 'alpha', instance_id: null, leaseMs: 300_000 };
const put = (path: string, bytes: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
};

describe('held by another process', () => {
  it('for less than the limit: eight claim all the same, each its own task', async () => {
    const place = newPlace();
    const store = await open(place);
    store.add(
      Array.from({ length: 8 }, () => roof),
      null,
      Date.now(),
    );
    store.close();
    const holder = start(await taskProgram('hold-store'), place.path, '1500');
    await holder.said('held');
    const one = await taskProgram('claim-one');
    const began = performance.now();
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, at) => start(one, place.stateDir, `agent-${at}`, '10000').ended),
    );
    expect(performance.now() - began).toBeGreaterThan(500);
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
    expect(new Set(ends.map(({ stdout }) => stdout.trim())).size).toBe(8);
  }, 30_000);

  it('for longer: exit 3 within the limit, in one line, and the process is alive', async () => {
    const place = newPlace();
    (await open(place)).close();
    const store = await open(place, 200);
    const holder = start(await taskProgram('hold-store'), place.path, '60000');
    await holder.said('held');
    expect(() => store.claim(claimer, Date.now())).toThrow(
      expect.objectContaining({ exit: 3, message: expect.stringMatching(/^[^\n]*held by another process$/) }),
    );
    holder.child.kill('SIGKILL');
    await holder.ended;
    expect(store.claim(claimer, Date.now())).toEqual({ refused: 'absent', task: null });
    store.close();
  });

  it('reading goes on meanwhile', async () => {
    const place = newPlace();
    const store = await open(place, 100);
    store.add([roof], null, Date.now());
    const holder = start(await taskProgram('hold-store'), place.path, '60000');
    await holder.said('held');
    expect(store.list(null, Date.now())).toMatchObject([roof]);
    expect(store.counts(null, Date.now())).toMatchObject({ pending: 1 });
    store.close();
  });
});

describe('corrupt: exit 4, the file kept, a copy in quarantine, never made anew', () => {
  it.each([
    ['4,096 zero bytes', Buffer.alloc(4096)],
    ['garbage', 'this is a note about the roof and no database\n'.repeat(100)],
    ['no byte at all', ''],
    ['half a header', 'SQLite f'],
  ])('%s', async (_what, bytes) => {
    const place = newPlace();
    put(place.path, bytes);
    const before = readFileSync(place.path);
    await expect(open(place)).rejects.toMatchObject({ exit: 4, message: expect.stringContaining('is corrupt') });
    expect(readFileSync(place.path).equals(before)).toBe(true);
    const [copy = ''] = readdirSync(join(place.stateDir, 'quarantine'));
    expect(copy).toMatch(/^modes\.swarm\.db\.[0-9a-f]{12}\.db$/);
    expect(readFileSync(join(place.stateDir, 'quarantine', copy)).equals(before)).toBe(true);
  });

  it('pages overwritten behind a good header', async () => {
    const place = newPlace();
    const store = await open(place);
    store.add(
      Array.from({ length: 500 }, () => ({ ...roof, description: 'x'.repeat(200) })),
      null,
      Date.now(),
    );
    store.close();
    const bytes = readFileSync(place.path);
    bytes.fill(0xa5, 4096);
    writeFileSync(place.path, bytes);
    const tryAll = async (): Promise<void> => {
      const opened = await open(place);
      opened.list(null, Date.now());
    };
    await expect(tryAll()).rejects.toMatchObject({ exit: 4 });
    expect(readFileSync(place.path).equals(bytes)).toBe(true);
  });

  it('a database of another program', async () => {
    const place = newPlace();
    mkdirSync(dirname(place.path), { recursive: true });
    const other = (await loadSqlite())(place.path);
    other.exec('CREATE TABLE notes (text)');
    other.close();
    await expect(open(place)).rejects.toMatchObject({ exit: 4 });
  });
});

it('a log left by SIGKILL is read: no claim that was answered is lost', async () => {
  const place = newPlace();
  const store = await open(place);
  store.add([roof, roof, roof], null, Date.now());
  store.close();
  const killed = start(await taskProgram('claim-one'), place.stateDir, 'alpha', '10000', 'stay');
  await killed.said('t-1');
  expect(existsSync(`${place.path}-wal`)).toBe(true);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const after = await open(place);
  expect(after.list(null, Date.now()).map(({ status, holder }) => [status, holder])).toEqual([
    ['claimed', 'alpha'],
    ['pending', null],
    ['pending', null],
  ]);
  after.close();
});

it('not writable: exit 4 with what the system says', async () => {
  const place = newPlace();
  // Where root may write everything, a file in the folder's place stands for a folder that cannot be used.
  put(dirname(place.path), 'a file where the folder should be');
  await expect(open(place)).rejects.toMatchObject({ exit: 4, message: expect.stringContaining('cannot use') });
});

it('two that make it at once have one list', async () => {
  const place = newPlace();
  const program = await taskProgram('claim-one');
  const ends = await Promise.all(
    Array.from({ length: 6 }, (_, at) => start(program, place.stateDir, `a${at}`, '10000', 'add').ended),
  );
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, '']));
  const store = await open(place);
  expect(store.counts(null, Date.now())).toEqual({ pending: 0, claimed: 6, done: 0, failed: 0 });
  store.close();
  expect(readdirSync(dirname(place.path)).filter((name) => name.includes('.tmp'))).toEqual([]);
}, 30_000);

it('on a disk of another machine there is no log that its users would have to share', () => {
  expect(journalModeFor(0x6969)).toBe('delete');
  expect(journalModeFor(0xff534d42)).toBe('delete');
  expect(journalModeFor(0xef53)).toBe('wal');
});

describe('the native module', () => {
  const modulePath = join(process.cwd(), 'node_modules', 'better-sqlite3');

  it.each([
    ['is not installed', (_folder: string) => {}],
    [
      'has no compiled part',
      (folder: string) => {
        const copy = join(folder, 'node_modules', 'better-sqlite3');
        for (const part of ['package.json', 'lib'])
          cpSync(join(modulePath, part), join(copy, part), { recursive: true });
        cpSync(join(modulePath, '..', 'bindings'), join(folder, 'node_modules', 'bindings'), { recursive: true });
        cpSync(join(modulePath, '..', 'file-uri-to-path'), join(folder, 'node_modules', 'file-uri-to-path'), {
          recursive: true,
        });
      },
    ],
    [
      'was built for another Node',
      (folder: string) => {
        const copy = join(folder, 'node_modules', 'better-sqlite3');
        mkdirSync(copy, { recursive: true });
        writeFileSync(join(copy, 'package.json'), '{"name":"better-sqlite3","main":"index.js"}');
        writeFileSync(join(copy, 'index.js'), "require('./it.node');");
        writeFileSync(join(copy, 'it.node'), 'no shared object');
      },
    ],
  ])('%s: Node has its own, or exit 1 naming it, in one line, and nothing is made', async (_what, arrange) => {
    const folder = scratch('without');
    arrange(folder);
    const file = join(folder, 'claim-one.mjs');
    copyFileSync(await taskProgram('claim-one'), file);
    const state = join(folder, 'state');
    const { code, stderr, stdout } = await start(file, state, 'alpha', '1000', 'add').ended;
    if (builtInSqlite() !== null) {
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 't-1\n', stderr: '' });
      return;
    }
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toContain('better-sqlite3');
    expect(stderr).toContain('npm rebuild');
    expect(existsSync(state)).toBe(false);
  });
});
