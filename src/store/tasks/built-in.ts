/**
 * Node's own SQLite (Node 22.13 and later), for where better-sqlite3 cannot be loaded: no compiler, no prebuilt file, or one
 * built for another Node. Nothing but what `sqlite.ts` names.
 */
import type { Database, OpenSqlite, Statement } from './sqlite.ts';

/** The part of `node:sqlite` that is used; the oldest Node we support does not have it. */
interface BuiltIn {
  DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): {
      get(...values: unknown[]): object | undefined;
      all(...values: unknown[]): object[];
      run(...values: unknown[]): { changes: number | bigint };
    };
    close(): void;
  };
}

/** Null where this Node has none. */
export function builtInSqlite(): OpenSqlite | null {
  const found = quietly(() => process.getBuiltinModule('node:sqlite') as BuiltIn | undefined);
  if (found === undefined) return null;
  const { DatabaseSync } = found;
  return (path, { timeout = 0 } = {}) => {
    const database = told(() => new DatabaseSync(path));
    const exec = (sql: string): void => told(() => database.exec(sql));
    exec(`PRAGMA busy_timeout = ${Math.floor(timeout)}`);
    const prepare: Database['prepare'] = (sql) =>
      statementOf(
        told(() => database.prepare(sql)),
        sql,
      );
    return {
      exec,
      prepare,
      pragma: (text) => Object.values((prepare(`PRAGMA ${text}`).get() as object | undefined) ?? {})[0],
      transaction: (work) => ({
        immediate: () => {
          exec('BEGIN IMMEDIATE');
          try {
            const answer = work();
            exec('COMMIT');
            return answer;
          } catch (error) {
            exec('ROLLBACK');
            throw error;
          }
        },
      }),
      close: () => told(() => database.close()),
    };
  };
}

type Prepared = ReturnType<InstanceType<BuiltIn['DatabaseSync']>['prepare']>;

function statementOf<Arguments extends readonly unknown[], Row>(prepared: Prepared, sql: string) {
  const names = new Set([...sql.matchAll(/@(\w+)/g)].map(([, name]) => name));
  // A name that the statement does not have would be refused.
  const bound = (values: Arguments): unknown[] =>
    values.map((value) =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
        : value,
    );
  const statement: Statement<Arguments, Row> = {
    get: (...values) => {
      const row = told(() => prepared.get(...bound(values)));
      return row === undefined ? undefined : ({ ...row } as Row);
    },
    all: (...values) => told(() => prepared.all(...bound(values))).map((row) => ({ ...row }) as Row),
    run: (...values) => ({ changes: Number(told(() => prepared.run(...bound(values))).changes) }),
  };
  return statement;
}

/** SQLite's primary result codes that `trouble.ts` tells apart. */
const codes: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  20: 'SQLITE_MISMATCH',
  23: 'SQLITE_AUTH',
  24: 'SQLITE_FORMAT',
  26: 'SQLITE_NOTADB',
};

/** Errors say which one they are, as better-sqlite3's do. */
function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { errcode?: number };
    const code = errcode === undefined ? undefined : codes[errcode & 0xff];
    throw code === undefined ? error : Object.assign(error as Error, { code });
  }
}

/** It warns that it may change; what is used of it is here, and the operator can do nothing about it. */
function quietly<T>(work: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
