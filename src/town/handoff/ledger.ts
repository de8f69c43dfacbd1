/** `cycles/ledger.ndjson`: append-only; who acknowledged and dissolved what, and when. One JSON object a line. */
import { closeSync, constants, fsyncSync, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toLine } from '../../domain/json.ts';

const ledgerFile = 'ledger.ndjson';

export interface LedgerEntry {
  /** `acknowledged`: a human has read these very bytes. `recovered`: an interrupted dissolution was completed. */
  event: 'acknowledged' | 'dissolved' | 'superseded' | 'recovered';
  /** ISO time. */
  at: string;
  by: string;
  tree: string;
  sha256: string;
  /** File name below `cycles/`; null for an acknowledgement. */
  archive: string | null;
  /** What the human wrote; only in an acknowledgement. */
  sentence?: string;
  pid: number;
}

/** One write call, so that concurrent writers never mix lines. Throws the system's error. */
export function appendLedger(folder: string, entry: LedgerEntry): void {
  const flags =
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const fd = openSync(join(folder, ledgerFile), flags, 0o644);
  try {
    writeSync(fd, `${toLine(entry)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Entries that can be read; a torn or foreign line is passed over, a missing ledger is empty. */
export function readLedger(folder: string): Partial<LedgerEntry>[] {
  const path = join(folder, ledgerFile);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  return readFileSync(path, 'utf8').split('\n').flatMap(parseEntry);
}

function parseEntry(line: string): Partial<LedgerEntry>[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? [value] : [];
  } catch {
    return [];
  }
}
