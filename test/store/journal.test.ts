import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { appendJournal, followJournal, tailJournal } from '../../src/store/journal.ts';
import { statePaths } from '../../src/store/paths.ts';
import { memoryScratch, program, scratch, start } from './scratch.ts';

// Real processes take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const entry = (message: string) => ({ at: '2026-03-05T10:30:00.000Z', kind: 'hook.set', by: 'sling', message });
const messages = (lines: { entries: { message: string }[] }): string[] => lines.entries.map(({ message }) => message);

describe('the journal', () => {
  test('is made on the first entry, for the user alone; its tail is what came last, oldest first', () => {
    const paths = statePaths(`${scratch()}/.chipset/state`);
    expect(tailJournal(paths, 5)).toEqual({ entries: [], torn: 0 });
    for (const word of ['one', 'two', 'three']) appendJournal(paths, entry(word));
    expect(messages(tailJournal(paths, 2))).toEqual(['two', 'three']);
    expect(statSync(paths.journal).mode & 0o777).toBe(0o600);
  });

  test('a torn tail costs that line alone, and is counted', () => {
    const paths = statePaths(scratch());
    appendJournal(paths, entry('one'));
    appendFileSync(paths.journal, '{"at":"2026-03-0');
    appendJournal(paths, entry('two'));
    expect(tailJournal(paths, 9)).toMatchObject({ torn: 1 });
    expect(messages(tailJournal(paths, 9))).toEqual(['one', 'two']);
  });

  test('the tail reaches into the rotated file, across blocks and multi-byte text', () => {
    const paths = statePaths(scratch());
    for (let index = 0; index < 300; index += 1) appendJournal(paths, entry(`${index} ${'é'.repeat(600)}`), 250_000);
    expect(statSync(paths.journalRotated).size).toBeGreaterThan(0);
    const tail = tailJournal(paths, 250);
    expect(tail.torn).toBe(0);
    expect(messages(tail).map((text) => Number.parseInt(text, 10))).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 50),
    );
  });

  test('a follower gets every entry once, across a rotation, and half a line only when it is whole', () => {
    const paths = statePaths(scratch());
    appendJournal(paths, entry('old'));
    const follower = followJournal(paths);
    expect(messages(follower.read())).toEqual([]);
    const got: string[] = [];
    for (let index = 0; index < 60; index += 1) {
      appendJournal(paths, entry(`${index}`), 2_000);
      if (index % 3 === 0) got.push(...messages(follower.read()));
    }
    got.push(...messages(follower.read()));
    expect(got).toEqual(Array.from({ length: 60 }, (_, index) => String(index)));
    const line = `${JSON.stringify(entry('whole'))}\n`;
    appendFileSync(paths.journal, line.slice(0, 30));
    expect(follower.read()).toEqual({ entries: [], torn: 0 });
    appendFileSync(paths.journal, line.slice(30));
    expect(messages(follower.read())).toEqual(['whole']);
    writeFileSync(paths.journal, '');
    expect(messages(follower.read())).toEqual([]);
    appendJournal(paths, entry('again'));
    expect(messages(follower.read())).toEqual(['again']);
  });

  test('four processes append across rotations: every line of what is kept is whole', async () => {
    const stateDir = memoryScratch();
    const paths = statePaths(stateDir);
    const writer = await program('append-journal');
    const ended = await Promise.all(['a', 'b', 'c', 'd'].map((name) => start(writer, stateDir, '150', name).ended));
    for (const { code, stderr } of ended) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const all = tailJournal(paths, 10_000);
    expect(all.torn).toBe(0);
    expect(readFileSync(paths.journal, 'utf8').endsWith('\n')).toBe(true);
    for (const name of ['a', 'b', 'c', 'd']) {
      const own = messages(all).filter((text) => text.startsWith(name));
      const numbers = own.map((text) => Number(text.slice(1)));
      expect(numbers.every((n, index) => index === 0 || n === (numbers[index - 1] ?? 0) + 1)).toBe(true);
    }
    // Only whole files were ever dropped: what is kept is more than one file's worth.
    expect(all.entries.length).toBeGreaterThan(100);
  });

  test('a long message is cut, not refused', () => {
    const paths = statePaths(scratch());
    appendJournal(paths, entry('x'.repeat(100_000)));
    expect(messages(tailJournal(paths, 1))[0]).toHaveLength(2_000);
  });
});
