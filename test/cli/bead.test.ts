import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Bead } from '../../src/domain/bead.ts';
import { gastown } from '../support/in-process.ts';
import { type Ran, type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
beforeEach(() => {
  town = scratchTown();
});
afterEach(() => town.stop());

const run = (...words: string[]): Promise<Ran> => gastown(town, words);
const json = async <T>(...words: string[]): Promise<T> => JSON.parse((await run(...words, '--json')).out) as T;

test('bead add --json prints the bead as it is on disk', async () => {
  const bead = await json<Bead>('bead', 'add', 'Fix', 'the', 'roof', '-p', 'p1', '-d', 'It leaks.');
  expect(bead).toMatchObject({
    title: 'Fix the roof',
    description: 'It leaks.',
    priority: 'P1',
    status: 'open',
    assignee: null,
    needs: [],
  });
  expect(bead.bead_id).toMatch(/^gt-[a-z0-9]{5}$/);
  expect(JSON.parse(town.read(`.chipset/state/work/${bead.bead_id}.json`))).toEqual(bead);
});

test('a title of several lines becomes a title and a description; controls are taken out', async () => {
  const bead = await json<Bead>('bead', 'add', 'first line\nsecond\u001b[31m line');
  expect(bead).toMatchObject({ title: 'first line', description: 'first line\nsecond[31m line' });
  const long = await json<Bead>('bead', 'add', 'x'.repeat(5000));
  expect(long.title).toHaveLength(200);
  expect(long.description).toHaveLength(5000);
});

test('ready: needs done first, then by priority, then the oldest', async () => {
  const a = await json<Bead>('bead', 'add', 'a');
  const b = await json<Bead>('bead', 'add', 'b', '--needs', a.bead_id, '--priority', 'P1');
  const c = await json<Bead>('bead', 'add', 'c', '--priority', 'P1');
  const ready = async () => (await json<Bead[]>('bead', 'ready')).map((bead) => bead.title);
  expect(await ready()).toEqual(['c', 'a']);
  await run('bead', 'close', a.bead_id);
  expect(await ready()).toEqual(['b', 'c'].sort());
  expect((await json<Bead[]>('bead', 'list')).map((bead) => bead.bead_id)).toEqual([a.bead_id, b.bead_id, c.bead_id]);
  expect((await json<Bead[]>('bead', 'list', '--status', 'done')).map((bead) => bead.title)).toEqual(['a']);
});

test('close and reopen, each without harm when there is nothing to do', async () => {
  const { bead_id: id } = await json<Bead>('bead', 'add', 'a');
  for (const [verb, status] of [
    ['close', 'done'],
    ['close', 'done'],
    ['reopen', 'open'],
    ['reopen', 'open'],
  ] as const) {
    expect(await json<Bead>('bead', verb, id)).toMatchObject({ status });
  }
});

test('a bead on a hook is neither closed nor reopened (exit 5)', async () => {
  const { bead_id: id } = await json<Bead>('bead', 'add', 'a');
  expect((await run('sling', id, 'polecat-alpha')).code).toBe(0);
  for (const verb of ['close', 'reopen']) {
    const { code, err } = await run('bead', verb, id);
    expect(err).toBe(
      `gastown: ${id} is on the pending hook of polecat-alpha; clear it first: gastown clear polecat-alpha\n`,
    );
    expect(code).toBe(5);
  }
  expect(await json<Bead>('bead', 'show', id)).toMatchObject({ status: 'hooked', assignee: 'polecat-alpha' });
});

test('an unknown bead and an unknown need are exit 1, and nothing is written', async () => {
  for (const words of [
    ['bead', 'show', 'gt-none1'],
    ['bead', 'close', 'gt-none1'],
    ['bead', 'reopen', 'gt-none1'],
    ['bead', 'add', 'x', '--needs', 'gt-none1'],
    ['sling', 'gt-none1', 'polecat-alpha'],
  ]) {
    const { code, err } = await run(...words);
    expect(err).toMatch(/^gastown: [^\n]*gt-none1[^\n]*\n$/);
    expect(code).toBe(1);
  }
  expect(await json<Bead[]>('bead', 'list')).toEqual([]);
});

test('a chosen id that is taken is a conflict (exit 5)', async () => {
  expect((await run('bead', 'add', 'a', '--id', 'gt-mine')).code).toBe(0);
  const { code, err } = await run('bead', 'add', 'b', '--id', 'gt-mine');
  expect([code, err]).toEqual([5, 'gastown: there is already a bead gt-mine: a; choose another id\n']);
  expect(await json<Bead>('bead', 'show', 'gt-mine')).toMatchObject({ title: 'a' });
});

test('import takes JSON lines and Markdown, from a file and from standard input', async () => {
  town.write('work.jsonl', '{"title":"a","bead_id":"gt-a1","needs":["gt-b1"]}\n{"title":"b","bead_id":"gt-b1"}\n');
  expect((await json<Bead[]>('bead', 'import', 'work.jsonl')).map((bead) => bead.bead_id)).toEqual(['gt-b1', 'gt-a1']);
  const fromInput = await gastown(town, ['bead', 'import', '-', '--json'], {
    input: '- [ ] one\n- [x] old\n- [ ] two\n',
  });
  expect((JSON.parse(fromInput.out) as Bead[]).map((bead) => bead.title)).toEqual(['one', 'two']);
});

test('import is all or nothing', async () => {
  town.write('again.jsonl', '{"title":"new"}\n{"title":"b","bead_id":"gt-b1"}\n');
  await run('bead', 'add', 'b', '--id', 'gt-b1');
  const taken = await run('bead', 'import', 'again.jsonl');
  expect([taken.code, taken.err]).toEqual([
    5,
    'gastown: again.jsonl:2: there is already a bead gt-b1; nothing was imported\n',
  ]);
  town.write('bad.jsonl', '{"title":"new"}\n{"title":"c","needs":["gt-none1"]}\n');
  const unknown = await run('bead', 'import', 'bad.jsonl');
  expect([unknown.code, unknown.err]).toEqual([
    1,
    'gastown: bad.jsonl:2: there is no bead gt-none1 to need; nothing was imported\n',
  ]);
  expect(await json<Bead[]>('bead', 'list')).toHaveLength(1);
});

test('a file that cannot be imported is one line, exit 1', async () => {
  town.write('folder/x', '');
  for (const file of ['missing.md', 'folder']) {
    const { code, err } = await run('bead', 'import', file);
    expect(err).toMatch(/^gastown: cannot read [^\n]+\n$/);
    expect(code).toBe(1);
  }
});

test('two hundred beads added by eight processes at once are two hundred beads', async () => {
  const lines = (worker: number) =>
    Array.from({ length: 25 }, (_, index) => `{"title":"w${worker} ${index}"}`).join('\n');
  const runs = await Promise.all(
    Array.from({ length: 8 }, (_, worker) =>
      town.run(['bead', 'import', '-'], { input: lines(worker), timeoutMs: 60_000 }),
    ),
  );
  expect(runs.map((ran) => ran.code)).toEqual(Array(8).fill(0));
  expect(new Set((await json<Bead[]>('bead', 'list')).map((bead) => bead.title)).size).toBe(200);
});

test('a record nobody can read is shown beside the others and kept', async () => {
  await run('bead', 'add', 'a', '--id', 'gt-a1');
  const path = join(town.stateDir, 'work', 'gt-bad1.json');
  writeFileSync(path, '{"bead_id": "gt-b');
  const list = await run('bead', 'list', '--json');
  expect(list.code).toBe(0);
  expect((JSON.parse(list.out) as Bead[]).map((bead) => bead.bead_id)).toEqual(['gt-a1']);
  expect(list.err).toMatch(/^warning: the record of gt-bad1 is corrupt: [^\n]+\n$/);
  for (const words of [
    ['bead', 'show', 'gt-bad1'],
    ['bead', 'close', 'gt-bad1'],
    ['bead', 'add', 'x', '--id', 'gt-bad1'],
  ]) {
    const { code, err } = await run(...words);
    expect(err).toMatch(/^gastown: [^\n]*corrupt[^\n]*\n$/);
    expect(code).toBe(4);
  }
  expect(town.read('.chipset/state/work/gt-bad1.json')).toBe('{"bead_id": "gt-b');
  expect(existsSync(join(town.stateDir, 'quarantine'))).toBe(true);
  chmodSync(path, 0o600);
});
