/** A folder of records of one kind, addressed by id. Folders are made when something is first written. */
import type { Checked } from '../domain/shape.ts';
import { isTempName, listNames } from './atomic-write.ts';
import type { LockOptions } from './lock.ts';
import {
  type Place,
  putRecords,
  type RecordRead,
  readRecord,
  removeRecord,
  type Updated,
  updateRecord,
} from './record.ts';

export interface Collection<T> {
  readonly dir: string;
  /** Where the record of `id` lies; a malformed id throws exit 1. */
  place(id: string): Place<T>;
  read(id: string): RecordRead<T>;
  /** See `updateRecord`. */
  update(id: string, change: (current: T | null) => T | null, options?: LockOptions): Promise<Updated<T>>;
  /** See `putRecords`; what failed, by id. */
  putAll(values: ReadonlyMap<string, T>): Promise<Map<string, unknown>>;
  /** Ids of the records on disk, sorted; temp files and malformed names are not shown. */
  list(): string[];
  /** All of them, in the order of `list`. */
  readAll(): Map<string, RecordRead<T>>;
  /** Removes the record under its lock; false when there was none. */
  remove(id: string, options?: LockOptions): Promise<boolean>;
}

export interface CollectionOf<T> {
  stateDir: string;
  dir: string;
  schema: Checked<T>;
  path: (id: string) => string;
  isName: (name: string) => boolean;
  idKey: string | null;
  /** See `Place`. */
  flush?: boolean;
}

export function openCollection<T>(of: CollectionOf<T>): Collection<T> {
  const { stateDir, dir, schema, path, isName, idKey, flush = true } = of;
  const place = (id: string): Place<T> => ({ stateDir, path: path(id), schema, idKey, flush });
  const list = (): string[] =>
    listNames(dir)
      .filter((name) => name.endsWith('.json') && !isTempName(name))
      .map((name) => name.slice(0, -5))
      .filter(isName)
      .sort();
  return {
    dir,
    place,
    list,
    read: (id) => readRecord(place(id)),
    update: (id, change, options) => updateRecord(place(id), change, options),
    putAll: async (values) => {
      const failed = await putRecords([...values].map(([id, value]) => ({ place: place(id), value })));
      return new Map([...values.keys()].flatMap((id) => (failed.has(path(id)) ? [[id, failed.get(path(id))]] : [])));
    },
    readAll: () => new Map(list().map((id) => [id, readRecord(place(id))])),
    remove: (id, options) => removeRecord(place(id), undefined, options),
  };
}
