/**
 * `events.jsonl`: what happened, one line each, appended by any process with a single O_APPEND write. Evidence for
 * people; nothing is decided from it. A torn line is skipped and counted, never an error.
 */
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, unreadable } from '../domain/errors.ts';
import { toLine } from '../domain/json.ts';
import { type JournalEntry, journalSchema } from '../domain/records.ts';
import { makeFolderOf } from './atomic-write.ts';
import { tryWithLock } from './lock.ts';
import type { StatePaths } from './paths.ts';
import { code } from './process-identity.ts';

export interface JournalLines {
  entries: JournalEntry[];
  /** Lines that were cut off or foreign. */
  torn: number;
}

/** At this size the file becomes `events.1.jsonl`, replacing the one before it. */
const journalLimitBytes = 4_194_304;
const messageLimit = 2_000;

export function appendJournal(paths: StatePaths, entry: JournalEntry, limitBytes = journalLimitBytes): void {
  const line = `${toLine({ ...entry, message: entry.message.slice(0, messageLimit) })}\n`;
  const fd = openJournal(paths.journal);
  try {
    const { size, ino } = fstatSync(fd);
    // A writer that was killed left half a line: end it, so that only that one is lost.
    const prefix = size > 0 && lastByte(fd, size) !== newline ? '\n' : '';
    writeSync(fd, prefix + line);
    if (size + line.length > limitBytes) rotate(paths, ino);
  } catch (error) {
    throw unreadable(`cannot append to ${paths.journal}: ${errorText(error)}`, 'check the disk', error);
  } finally {
    closeSync(fd);
  }
}

/** The last `count` entries, oldest first; reads no more of the files than it needs. */
export function tailJournal(paths: StatePaths, count: number): JournalLines {
  let lines: string[] = [];
  for (const path of [paths.journal, paths.journalRotated]) {
    if (lines.length < count) lines = [...tailLines(path, count - lines.length), ...lines];
  }
  return parseLines(lines);
}

/** Reads what was appended since the last call, across a rotation. The first call answers nothing older than `from`. */
export function followJournal(paths: StatePaths, from: 'start' | 'end' = 'end'): { read(): JournalLines } {
  const first = statSync(paths.journal, { throwIfNoEntry: false });
  let inode = first?.ino ?? null;
  let offset = from === 'end' ? (first?.size ?? 0) : 0;
  let rest = '';
  return {
    read() {
      const now = statSync(paths.journal, { throwIfNoEntry: false });
      let text = '';
      if (inode !== null && now?.ino !== inode) {
        const rotated = statSync(paths.journalRotated, { throwIfNoEntry: false });
        if (rotated?.ino === inode) text = `${rest}${readFrom(paths.journalRotated, offset)}`;
        rest = '';
        offset = 0;
      }
      inode = now?.ino ?? null;
      if (now === undefined) return parseLines(text.split('\n'));
      if (now.size < offset) offset = 0;
      if (now.size > offset) {
        const added = readFrom(paths.journal, offset);
        offset += Buffer.byteLength(added);
        text += rest + added;
        // What has no newline yet is still being written, or torn: the next write tells.
        const end = text.lastIndexOf('\n') + 1;
        rest = text.slice(end);
        text = text.slice(0, end);
      }
      return parseLines(text.split('\n'));
    },
  };
}

const newline = 10;

function openJournal(path: string): number {
  try {
    return openSync(path, 'a+', 0o600);
  } catch (error) {
    if (code(error) !== 'ENOENT') {
      throw unreadable(`cannot open ${path}: ${errorText(error)}`, 'check its permissions', error);
    }
    makeFolderOf(path);
    return openSync(path, 'a+', 0o600);
  }
}

function lastByte(fd: number, size: number): number | undefined {
  const byte = Buffer.alloc(1);
  readSync(fd, byte, 0, 1, size - 1);
  return byte[0];
}

/** Two may see the limit at once: one of them rotates, and only the file it saw. */
function rotate(paths: StatePaths, inode: number): void {
  tryWithLock(join(paths.locksDir, 'events.lock'), () => {
    if (statSync(paths.journal, { throwIfNoEntry: false })?.ino === inode) {
      renameSync(paths.journal, paths.journalRotated);
    }
  });
}

const blockBytes = 65_536;

function tailLines(path: string, count: number): string[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let start = size;
  let bytes: Buffer = Buffer.alloc(0);
  while (start > 0 && countNewlines(bytes) <= count) {
    const length = Math.min(blockBytes, start);
    start -= length;
    bytes = Buffer.concat([readBytes(path, start, length), bytes]);
  }
  const lines = bytes.toString('utf8').split('\n').filter(Boolean);
  if (start > 0) lines.shift();
  return lines.slice(-count);
}

const countNewlines = (bytes: Buffer): number => bytes.reduce((sum, byte) => (byte === newline ? sum + 1 : sum), 0);

const readFrom = (path: string, offset: number): string => {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return readBytes(path, offset, Math.max(0, size - offset)).toString('utf8');
};

function readBytes(path: string, offset: number, length: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
  } finally {
    closeSync(fd);
  }
}

function parseLines(lines: readonly string[]): JournalLines {
  const entries: JournalEntry[] = [];
  let torn = 0;
  for (const line of lines) {
    if (line === '') continue;
    const entry = parseLine(line);
    if (entry === null) torn += 1;
    else entries.push(entry);
  }
  return { entries, torn };
}

function parseLine(line: string): JournalEntry | null {
  try {
    const result = journalSchema.safeParse(JSON.parse(line));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
