/**
 * Opening the database of tasks. It is made whole beside its place and linked into it, so that an empty or half-made file
 * there is never taken for a new one: what is not a database is corrupt, and stays.
 */
import { closeSync, existsSync, linkSync, mkdirSync, openSync, readSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempNameFor } from '../atomic-write.ts';
import { code } from '../process-identity.ts';
import { loadSqlite } from './native.ts';
import type { Database, OpenSqlite } from './sqlite.ts';
import { corrupt, isBusy, type TasksPlace, withTrouble } from './trouble.ts';

/** What a command waits for others at most, as for any other lock. */
export const taskWaitMs = 10_000;

const schemaVersion = 1;
const schema = `
  CREATE TABLE tasks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    priority TEXT NOT NULL CHECK (priority IN ('P1', 'P2', 'P3')),
    status TEXT NOT NULL CHECK (status IN ('pending', 'claimed', 'done', 'failed')),
    run_id TEXT,
    holder TEXT,
    instance_id TEXT,
    token INTEGER NOT NULL,
    claimed_at INTEGER,
    renewed_at INTEGER,
    lease_until INTEGER CHECK ((status = 'claimed') = (lease_until IS NOT NULL)),
    lapses INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    result TEXT,
    error TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT;
  CREATE INDEX tasks_by_turn ON tasks (status, priority, seq);
  CREATE INDEX tasks_by_holder ON tasks (holder) WHERE status = 'claimed';
  CREATE TABLE fence (one INTEGER PRIMARY KEY CHECK (one = 1), token INTEGER NOT NULL) STRICT;
  INSERT INTO fence VALUES (1, 0);
  PRAGMA user_version = ${schemaVersion};
`;

/**
 * The database at `place`; made if there is none, unless `make` is false: then null. Throws exit 1 without the native
 * module, exit 3 when it is held for longer than `waitMs`, exit 4 when it cannot be read or written.
 */
export async function openDatabase(
  place: TasksPlace,
  { waitMs = taskWaitMs, make = true }: { waitMs?: number; make?: boolean } = {},
): Promise<Database | null> {
  const { path } = place;
  if (!existsSync(path) && !make) return null;
  const openSqlite = await loadSqlite();
  return withTrouble(place, () => {
    if (!existsSync(path)) create(openSqlite, path);
    checkHeader(place);
    const database = openSqlite(path, { timeout: waitMs, fileMustExist: true });
    try {
      prepare(database, place, waitMs);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Two that make it at once: the second finds that of the first. */
function create(openSqlite: OpenSqlite, path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temp = join(dirname(path), tempNameFor('swarm.db'));
  // The database takes the mode of a file that is there.
  closeSync(openSync(temp, 'wx', 0o600));
  try {
    const fresh = openSqlite(temp);
    fresh.exec(schema);
    fresh.close();
    linkSync(temp, path);
  } catch (error) {
    if (code(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temp, { force: true });
  }
}

const magic = 'SQLite format 3\0';

/** SQLite takes a file of no bytes for a new database: here it is one that lost everything. */
function checkHeader(place: TasksPlace): void {
  const fd = openSync(place.path, 'r');
  try {
    const head = Buffer.alloc(magic.length);
    const length = readSync(fd, head);
    if (head.toString('latin1', 0, length) !== magic) throw corrupt(place, length === 0 ? 'empty' : 'not a database');
  } finally {
    closeSync(fd);
  }
}

function prepare(database: Database, place: TasksPlace, waitMs: number): void {
  const wanted = journalModeFor(statfsSync(dirname(place.path)).type);
  // The change of the journal's form does not wait as everything else does, and is only needed once.
  for (const deadline = performance.now() + waitMs; database.pragma('journal_mode', { simple: true }) !== wanted; ) {
    try {
      if (database.pragma(`journal_mode = ${wanted}`, { simple: true }) === wanted) break;
      // It cannot be had here: the slower form does as well.
      break;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 + Math.random() * 20);
    }
  }
  database.exec('PRAGMA synchronous = FULL');
  const version = database.pragma('user_version', { simple: true });
  if (version !== schemaVersion) throw corrupt(place, `its form is ${String(version)}, not ${schemaVersion}`);
}

/** File systems of other machines (NFS, SMB, CIFS, 9P, FUSE): a write-ahead log needs memory that all its users share. */
const remote: readonly number[] = [0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546];

/** `type` is that of `statfs`. */
export const journalModeFor = (type: number): 'wal' | 'delete' => (remote.includes(type) ? 'delete' : 'wal');
