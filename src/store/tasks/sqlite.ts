/** What the store of tasks needs of SQLite, whichever module brings it. Names and meanings are better-sqlite3's. */

export interface Statement<Arguments extends readonly unknown[] = readonly unknown[], Row = unknown> {
  get(...values: Arguments): Row | undefined;
  all(...values: Arguments): Row[];
  run(...values: Arguments): { changes: number };
}

export interface Database {
  exec(sql: string): unknown;
  prepare<Arguments extends readonly unknown[], Row = unknown>(sql: string): Statement<Arguments, Row>;
  /** The first value of the first row. */
  pragma(text: string, options: { simple: true }): unknown;
  transaction<T>(work: () => T): { immediate(): T };
  close(): unknown;
}

/** `timeout`: milliseconds that a statement waits for other processes. Errors have a `code` like `SQLITE_BUSY`. */
export type OpenSqlite = (path: string, options?: { timeout?: number; fileMustExist?: boolean }) => Database;
