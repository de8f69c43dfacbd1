/** SQLite for the swarm's tasks. A native module and an optional one: loaded when a task is asked for, and not before. */
import type Sqlite from 'better-sqlite3';
import { errorText, usage } from '../../domain/errors.ts';

export type SqliteConstructor = typeof Sqlite;

let loading: Promise<SqliteConstructor> | null = null;

/** Throws exit 1 naming the module where it is not installed, was not built, or was built for another Node. */
export function loadSqlite(): Promise<SqliteConstructor> {
  loading ??= load();
  return loading;
}

async function load(): Promise<SqliteConstructor> {
  try {
    const { default: Database } = await import('better-sqlite3');
    // The package may be there without its compiled part, which is only looked for when a database is opened.
    new Database(':memory:').close();
    return Database;
  } catch (error) {
    const why = errorText(error).split('\n')[0] ?? '';
    throw usage(
      `the swarm's tasks need the module better-sqlite3, and this Node (${process.version}) cannot load it: ${why.slice(0, 160)}`,
      'run "npm rebuild better-sqlite3" where gastown is installed (a compiler may be needed); everything else works without it',
    );
  }
}
