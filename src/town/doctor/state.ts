/** The state folder: can it be used, is every record readable, what did dead processes leave behind? */
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { listNames, sweepTemps } from '../../store/atomic-write.ts';
import type { RecordRead } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';
import { type Check, check } from './check.ts';

export async function stateChecks(store: Store, now: number, fix: boolean): Promise<Check[]> {
  const { stateDir } = store.paths;
  if (!statSync(stateDir, { throwIfNoEntry: false })) {
    return [check('state', 'folder', 'ok', `${stateDir} is not there yet: nothing ran here so far`)];
  }
  return [folderCheck(stateDir, fix), ...recordChecks(store), tempsCheck(store, now, fix), await watchCheck(stateDir)];
}

function folderCheck(stateDir: string, fix: boolean): Check {
  try {
    accessSync(stateDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return check('state', 'folder', 'fail', `${stateDir} cannot be written`, 'check its owner and permissions');
  }
  const mode = statSync(stateDir).mode & 0o777;
  if ((mode & 0o077) === 0) return check('state', 'folder', 'ok', stateDir);
  const text = `${stateDir} is open to others (mode ${mode.toString(8)})`;
  if (!fix) return check('state', 'folder', 'warn', text, 'gastown doctor --fix');
  chmodSync(stateDir, 0o700);
  return check('state', 'folder', 'ok', `${stateDir} is closed to others now`, '', true);
}

/** A corrupt record waits for a human: it is shown, with its copy, and never mended here. */
function recordChecks(store: Store): Check[] {
  const { hooks, beads, agents, sessions, gates, escalations, ledgers } = store;
  const reads: [path: string, read: RecordRead<unknown>][] = [
    [store.town.path, store.town.read()],
    [store.lease.path, store.lease.read()],
    ...[hooks, beads, agents, sessions, gates, escalations, ledgers].flatMap((collection) =>
      [...collection.readAll()].map(([id, read]): [string, RecordRead<unknown>] => [collection.place(id).path, read]),
    ),
  ];
  const bad = reads.flatMap(([path, read]) => {
    if (read.kind === 'ok' || read.kind === 'absent') return [];
    const copy = read.kind === 'corrupt' && read.quarantine ? `; copy: ${read.quarantine}` : '';
    return [check('state', 'records', 'fail', `${path} is ${read.kind}: ${read.reason}${copy}`, 'mend or remove it')];
  });
  return bad.length > 0 ? bad : [check('state', 'records', 'ok', `${reads.length} records can be read`)];
}

function tempsCheck(store: Store, now: number, fix: boolean): Check {
  const { stateDir } = store.paths;
  const folders = [
    stateDir,
    ...readdirSync(stateDir, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(entry.parentPath, entry.name)] : [],
    ),
  ];
  const left = folders.flatMap((folder) =>
    listNames(folder)
      .filter((name) => /^\..+\.\d+\.[0-9a-f]+\.tmp$/.test(name))
      .map((name) => join(folder, name)),
  );
  const old = left.filter((path) => now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > 60_000);
  if (old.length === 0) return check('state', 'temporary files', 'ok', 'none was left behind');
  if (!fix) {
    const text = `${old.length} left behind, the first: ${relative(stateDir, old[0] ?? '')}`;
    return check('state', 'temporary files', 'warn', text, 'gastown doctor --fix');
  }
  const swept = folders.reduce((sum, folder) => sum + sweepTemps(folder, now), 0);
  return check('state', 'temporary files', 'ok', `${swept} removed`, '', true);
}

/** Where the system tells of no change (some mounts), everything still works by looking again, only later. */
async function watchCheck(stateDir: string): Promise<Check> {
  const folder = mkdtempSync(join(stateDir, '.doctor-'));
  try {
    const told = await isToldOfChanges(folder);
    if (told === true) return check('state', 'watching', 'ok', 'the file system tells of changes');
    const why = told === false ? 'the file system tells of no changes here' : told;
    return check('state', 'watching', 'warn', `${why}: changes show within seconds, not at once`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isToldOfChanges(folder: string): Promise<boolean | string> {
  return new Promise((resolve) => {
    try {
      const watcher = watch(folder);
      const finish = (answer: boolean | string): void => {
        clearTimeout(limit);
        watcher.close();
        resolve(answer);
      };
      const limit = setTimeout(() => finish(false), 2_000);
      watcher.once('change', () => finish(true));
      watcher.once('error', (error) => finish(error.message));
      writeFileSync(join(folder, 'probe'), '');
    } catch (error) {
      resolve(error instanceof Error ? error.message : String(error));
    }
  });
}
