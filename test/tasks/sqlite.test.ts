/** Whichever module brings SQLite, the store of tasks finds the same in it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInSqlite } from '../../src/store/tasks/built-in.ts';
import { nativeSqlite } from '../../src/store/tasks/native.ts';
import type { OpenSqlite } from '../../src/store/tasks/sqlite.ts';
import { scratch } from '../store/scratch.ts';

const native = await nativeSqlite().catch(() => null);
const all: [string, OpenSqlite | null][] = [
  ['better-sqlite3', native],
  ['node:sqlite', builtInSqlite()],
];
const here = all.flatMap(([name, open]) => (open === null ? [] : [[name, open] as const]));

it('this Node has at least one', () => {
  expect(here.length).toBeGreaterThan(0);
});

describe.each(here)('%s', (_name, open) => {
  const place = (): string => {
    const folder = scratch('sqlite');
    mkdirSync(folder, { recursive: true });
    return join(folder, 'a.db');
  };
  const withTable = () => {
    const database = open(place(), { timeout: 100 });
    database.exec('CREATE TABLE notes (n INTEGER PRIMARY KEY, text TEXT) STRICT');
    return database;
  };

  it('binds names, leaves out what the statement does not name, answers plain rows', () => {
    const database = withTable();
    const add = database.prepare<[object], { n: number; text: string }>(
      'INSERT INTO notes (text) VALUES (@text) RETURNING *',
    );
    expect(add.get({ text: "it's; -- é 🛠", other: 1 })).toStrictEqual({ n: 1, text: "it's; -- é 🛠" });
    expect(database.prepare<[number]>('UPDATE notes SET text = NULL WHERE n = ?').run(1)).toMatchObject({ changes: 1 });
    expect(database.prepare<[number]>('SELECT * FROM notes WHERE n = ?').get(9)).toBeUndefined();
    expect(database.prepare('SELECT * FROM notes').all()).toStrictEqual([{ n: 1, text: null }]);
    database.close();
  });

  it('a transaction that throws leaves nothing', () => {
    const database = withTable();
    const failing = database.transaction(() => {
      database.prepare('INSERT INTO notes (text) VALUES (1)').run();
      throw new Error('mind changed');
    });
    expect(() => failing.immediate()).toThrow('mind changed');
    expect(database.transaction(() => database.prepare('SELECT * FROM notes').all()).immediate()).toEqual([]);
    database.close();
  });

  it('says SQLITE_BUSY for one that is held, SQLITE_NOTADB for what is none', () => {
    const path = place();
    const holder = open(path);
    holder.exec('CREATE TABLE notes (n) ; BEGIN IMMEDIATE');
    const other = open(path, { timeout: 50 });
    expect(() => other.transaction(() => 1).immediate()).toThrow(expect.objectContaining({ code: 'SQLITE_BUSY' }));
    other.close();
    holder.close();
    expect(() => {
      const wrong = open(join(process.cwd(), 'package.json'), { timeout: 50 });
      wrong.prepare('SELECT 1 FROM sqlite_master').all();
    }).toThrow(expect.objectContaining({ code: 'SQLITE_NOTADB' }));
  });

  it('answers a pragma by its value', () => {
    const database = open(place());
    expect(database.pragma('journal_mode = wal', { simple: true })).toBe('wal');
    expect(database.pragma('user_version', { simple: true })).toBe(0);
    database.close();
  });
});
