import { EventEmitter } from 'node:events';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openStore, type Store } from '../../src/store/store.ts';
import { type StateWatch, type WatchFolder, type WatchOptions, watchState } from '../../src/store/watch.ts';
import { watchedFolders } from '../../src/store/watched-folders.ts';
import { memoryScratch, program, scratch, start, until } from './scratch.ts';

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const hook = (name: string, status: 'empty' | 'pending' | 'active' | 'completed'): string =>
  JSON.stringify({
    agent_id: name,
    status,
    work_item: status === 'empty' ? null : { bead_id: 'gt-a', title: 't', assigned_at: '2026-03-05T10:30:00Z' },
    last_activity: '2026-03-05T10:30:00Z',
  });

let count = 0;
function replace(folder: string, name: string, text: string): void {
  count += 1;
  const temp = join(folder, `.${name}.1.${count.toString(16).padStart(12, '0')}.tmp`);
  writeFileSync(temp, text);
  renameSync(temp, join(folder, name));
}

const watches: StateWatch[] = [];
afterEach(async () => {
  for (const one of watches.splice(0)) await one.close();
});

/** What the control pane would show: hooks as they were when their files were last told of. */
function view(store: Store, options: WatchOptions = {}) {
  const shown = new Map<string, string>();
  const told: string[] = [];
  const look = (path: string): void => {
    told.push(basename(path));
    if (!path.startsWith(store.paths.hooksDir)) return;
    const id = basename(path, '.json');
    const read = store.hooks.read(id);
    if (read.kind === 'ok') shown.set(id, read.value.status);
    else shown.delete(id);
  };
  const watched = watchState(
    () => watchedFolders(store.paths),
    (paths) => paths.forEach(look),
    options,
  );
  watches.push(watched);
  return { shown, told, watched, shows: (id: string, status: string | undefined) => () => shown.get(id) === status };
}

const quick = { rescanMs: 150 };
/** Without the re-scan's help. */
const eventsOnly = { rescanMs: 60_000 };

describe('field report 29: the view equals the disk', () => {
  test('(a) folders that are made after the start', async () => {
    const store = openStore(join(scratch(), '.chipset', 'state'));
    const { shows } = view(store, quick);
    mkdirSync(store.paths.hooksDir, { recursive: true });
    replace(store.paths.hooksDir, 'a.json', hook('a', 'pending'));
    await until(shows('a', 'pending'), 'the new hook');
    replace(store.paths.hooksDir, 'a.json', hook('a', 'active'));
    await until(shows('a', 'active'), 'its change');
  });

  test('(a) a folder that is made in a watched one is seen by its event alone', async () => {
    const store = openStore(scratch());
    const { shows } = view(store, eventsOnly);
    mkdirSync(store.paths.hooksDir);
    replace(store.paths.hooksDir, 'a.json', hook('a', 'pending'));
    await until(shows('a', 'pending'), 'the new hook');
  });

  test('(b) a folder that is removed and made again', async () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir);
    replace(store.paths.hooksDir, 'a.json', hook('a', 'pending'));
    const { shows } = view(store, quick);
    rmSync(store.paths.hooksDir, { recursive: true });
    await until(shows('a', undefined), 'the hook to be gone');
    mkdirSync(store.paths.hooksDir);
    replace(store.paths.hooksDir, 'b.json', hook('b', 'pending'));
    await until(shows('b', 'pending'), 'the hook in the new folder');
    replace(store.paths.hooksDir, 'b.json', hook('b', 'active'));
    await until(shows('b', 'active'), 'its change');
  });

  test('(c) four states within 20 ms: the last one is shown, without the re-scan', async () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir);
    const { shows, shown } = view(store, eventsOnly);
    for (let round = 0; round < 20; round += 1) {
      for (const status of ['pending', 'active', 'completed', 'empty'] as const) {
        replace(store.paths.hooksDir, 'a.json', hook('a', status));
        if (round % 2 === 1) await new Promise((done) => setTimeout(done, 4));
      }
      await until(shows('a', 'empty'), `the last state of round ${round}`);
      replace(store.paths.hooksDir, 'a.json', hook('a', 'pending'));
      await until(shows('a', 'pending'), `the state between, round ${round}`);
    }
    expect([...shown.keys()]).toEqual(['a']);
  });

  test('(d) three agents in turn, twice', async () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir);
    const { shows } = view(store, eventsOnly);
    for (const status of ['pending', 'active'] as const) {
      for (const name of ['a', 'b', 'c']) replace(store.paths.hooksDir, `${name}.json`, hook(name, status));
      for (const name of ['a', 'b', 'c']) await until(shows(name, status), `${name} ${status}`);
    }
  });

  test('(e) editor-style saves; temp files and backups are never told of', async () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir);
    const { shows, told } = view(store, eventsOnly);
    writeFileSync(join(store.paths.hooksDir, 'a.json~'), hook('a', 'active'));
    writeFileSync(join(store.paths.hooksDir, '.a.json.9.abc.tmp'), '{');
    renameSync(join(store.paths.hooksDir, 'a.json~'), join(store.paths.hooksDir, 'a.json'));
    await until(shows('a', 'active'), 'the saved hook');
    writeFileSync(join(store.paths.hooksDir, 'a.json'), hook('a', 'completed'));
    await until(shows('a', 'completed'), 'a save in place');
    expect(told.filter((name) => !name.endsWith('.json'))).toEqual([]);
  });

  test('a heartbeat that is touched without new content, and new mailboxes, are told of', async () => {
    const store = openStore(scratch());
    store.heartbeat.touch('a', 'tool', 'Bash');
    const { told } = view(store, eventsOnly);
    utimesSync(store.paths.heartbeat('a', 'tool'), new Date(), new Date(Date.now() + 1_000));
    await until(() => told.includes('a.tool'), 'the heartbeat');
    const draft = {
      type: 't',
      subject: 's',
      body: 'b',
      payload: '',
      channel: 'mail',
      durable: true,
      read: false,
    } as const;
    store.mail.create({ ...draft, from: 'mayor', to: 'a', priority: 'normal', timestamp: '2026-03-05T10:30:00.000Z' });
    await until(() => told.some((name) => name.includes('-mayor-')), 'the mail');
  });

  test('writers at full speed: what is shown in the end is what is on disk', async () => {
    const store = openStore(memoryScratch());
    mkdirSync(store.paths.hooksDir);
    const seen: unknown[] = [];
    const watched = watchState(
      () => watchedFolders(store.paths),
      () => {
        const read = store.hooks.read('polecat-alpha');
        if (read.kind === 'ok') seen.push(read.value['writes']);
      },
      eventsOnly,
    );
    watches.push(watched);
    const writer = await program('write-hook');
    await Promise.all(['a', 'b'].map((name) => start(writer, store.paths.stateDir, '50', name).ended));
    await until(() => seen.at(-1) === 100, 'the last write to be shown');
  });
});

describe('field report 30: watchers that fail or say nothing', () => {
  const failing =
    (code: string): WatchFolder =>
    () => {
      const emitter = new EventEmitter();
      setTimeout(() => emitter.emit('error', Object.assign(new Error(`${code}: no more watches`), { code })), 5);
      return Object.assign(emitter, { close: () => {} }) as unknown as ReturnType<WatchFolder>;
    };

  test.each([
    ['(a)', 'ENOSPC', 'fs.inotify.max_user_watches'],
    ['(b)', 'EMFILE', 'ulimit -n'],
  ])('%s %s: polling instead, one warning that names the limit, and the view converges', async (_case, code, limit) => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir);
    const warnings: string[] = [];
    const { shows, watched } = view(store, {
      rescanMs: 60_000,
      pollMs: 50,
      watchFolder: failing(code),
      onWarning: (message) => warnings.push(message),
    });
    await until(() => watched.mode === 'polling', 'polling');
    replace(store.paths.hooksDir, 'a.json', hook('a', 'pending'));
    await until(shows('a', 'pending'), 'the hook');
    expect(warnings).toEqual([expect.stringContaining(limit)]);
  });

  test('(b) a watch that cannot even be made falls back just so', async () => {
    const store = openStore(scratch());
    const warnings: string[] = [];
    const throwing: WatchFolder = () => {
      throw Object.assign(new Error('EMFILE: too many open files, watch'), { code: 'EMFILE' });
    };
    const { watched } = view(store, {
      pollMs: 50,
      watchFolder: throwing,
      onWarning: (message) => warnings.push(message),
    });
    expect(watched.mode).toBe('polling');
    expect(warnings).toHaveLength(1);
  });

  test('(c) no events at all: the view still converges, and it can be told', async () => {
    const store = openStore(scratch());
    mkdirSync(store.paths.hooksDir);
    const silent: WatchFolder = () =>
      Object.assign(new EventEmitter(), { close: () => {} }) as unknown as ReturnType<WatchFolder>;
    const { shows, watched } = view(store, { rescanMs: 50, watchFolder: silent });
    for (const status of ['pending', 'active', 'completed'] as const) {
      replace(store.paths.hooksDir, 'a.json', hook('a', status));
      await until(shows('a', status), status);
    }
    expect(watched.eventsSeen).toBe(0);
    expect(watched.foundByRescan).toBeGreaterThan(0);
  });

  test('(d) 5,000 files: one watch a folder, worktrees not among them', async () => {
    const store = openStore(join(memoryScratch(), '.chipset', 'state'));
    mkdirSync(store.paths.hooksDir, { recursive: true });
    mkdirSync(join(store.paths.worktreesDir, 'a', 'src'), { recursive: true });
    for (let index = 0; index < 5_000; index += 1) {
      writeFileSync(join(store.paths.hooksDir, `a${index}.json`), hook(`a${index}`, 'empty'));
    }
    const folders: string[] = [];
    const counting: WatchFolder = (folder) => {
      folders.push(folder);
      return Object.assign(new EventEmitter(), { close: () => {} }) as unknown as ReturnType<WatchFolder>;
    };
    view(store, { rescanMs: 60_000, watchFolder: counting });
    expect(folders).toEqual([store.paths.stateDir, store.paths.hooksDir]);
  });
});

test('closing leaves no watcher and no timer: the process ends by itself', async () => {
  const ended = await start(await program('watch-and-close'), scratch()).ended;
  expect(ended).toMatchObject({ code: 0, stderr: '', stdout: 'closed\n' });
});
