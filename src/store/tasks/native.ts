/** SQLite for the swarm's tasks: an optional native module, or Node's own; loaded when a task is asked for, not before. */
import { errorText, usage } from '../../domain/errors.ts';
import { builtInSqlite } from './built-in.ts';
import type { Database, OpenSqlite } from './sqlite.ts';

let loading: Promise<OpenSqlite> | null = null;

/**
 * Throws exit 1 naming the module where it is not installed, was not built, or was built for another Node, and this Node
 * has no SQLite of its own.
 */
export function loadSqlite(): Promise<OpenSqlite> {
  loading ??= load();
  return loading;
}

async function load(): Promise<OpenSqlite> {
  try {
    return await nativeSqlite();
  } catch (error) {
    const builtIn = builtInSqlite();
    if (builtIn !== null) return builtIn;
    const why = errorText(error).split('\n')[0] ?? '';
    throw usage(
      `the swarm's tasks need the module better-sqlite3, and this Node (${process.version}) cannot load it: ${why.slice(0, 160)}`,
      'run "npm rebuild better-sqlite3" where gastown is installed (a compiler may be needed); everything else works without it',
    );
  }
}

/** Throws what kept it from being loaded. */
export async function nativeSqlite(): Promise<OpenSqlite> {
  const { default: Sqlite } = await import('better-sqlite3');
  // The package may be there without its compiled part, which is only looked for when a database is opened.
  new Sqlite(':memory:').close();
  // Its types say the same by conditions that the compiler does not resolve.
  return (path, options) => new Sqlite(path, options) as unknown as Database;
}
