import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { archiveName } from '../../src/domain/handoff.ts';
import { refusalExit } from '../../src/domain/handoff-refusal.ts';
import { dissolve } from '../../src/town/handoff/dissolve.ts';
import { Fixture, programPath, run, sha256, usualHandoff } from './fixture.ts';
import { type GateCase, gateTable } from './gate-table.ts';

const right = ['--cycle', '34'];
const digest = sha256(usualHandoff);

/** The one moment of these cases: names of archives depend on it. */
const now = Date.parse('2026-03-01T10:15:00Z');

function takeNames(fixture: Fixture, take: (path: string) => void, copies: number): void {
  mkdirSync(fixture.path('cycles'));
  for (let copy = 1; copy <= copies; copy += 1) take(fixture.path('cycles', archiveName('034', now, digest, copy)));
}

/** The Node form takes its clock as an argument; the script asks `date`, so it is given one that stands still. */
async function dissolveAt(fixture: Fixture, form: 'node' | 'dash'): Promise<number | null> {
  if (form === 'node') {
    const proof = { kind: 'cycle', digits: '34' } as const;
    const outcome = await dissolve({ cwd: fixture.tree, env: { PATH: process.env['PATH'] }, proof, now });
    return outcome.kind === 'dissolved' ? 0 : refusalExit(outcome.refusal.reason);
  }
  const bin = join(fixture.base, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'date'), `#!/bin/sh\nexec ${programPath('date')} -d @${now / 1000} "$@"\n`, { mode: 0o755 });
  return (await run(fixture, form, { args: right, env: { PATH: `${bin}:${process.env['PATH']}` } })).code;
}

const cases: GateCase[] = [
  {
    name: 'T5 the right cycle archives once',
    calls: [
      { args: right, exit: 0 },
      { args: right, exit: 3 },
    ],
    afterwards: (fixture) => expect(fixture.archives()).toHaveLength(1),
  },
  {
    name: 'T6 the right digest prefix archives once',
    calls: [
      { args: ['--digest', digest.slice(0, 12)], exit: 0 },
      { args: ['--digest', digest.slice(0, 12)], exit: 3 },
    ],
    // With a first line that declares one, the archive is named by its cycle in this mode too.
    afterwards: (fixture) => expect(fixture.archives()).toEqual([expect.stringMatching(/^cycle-034_/)]),
  },
  {
    name: 'T8 a tree without cycles/ gets one',
    calls: [{ args: right, exit: 0 }],
    afterwards: (fixture) => expect(lstatSync(fixture.path('cycles')).isDirectory()).toBe(true),
  },
  {
    name: 'T9 two dissolutions in one second leave two archives, the first unchanged',
    // Three in a row: two of them fall into one second, but for a very slow machine.
    calls: [1, 2, 3].map(() => ({ args: right, exit: 0, rearm: usualHandoff })),
    afterwards: (fixture) => {
      const archives = fixture.archives();
      expect(archives).toHaveLength(3);
      for (const name of archives) expect(readFileSync(fixture.path('cycles', name), 'utf8')).toBe(usualHandoff);
    },
  },
  {
    name: 'A61 cycles is a file',
    prepare: (fixture) => writeFileSync(fixture.path('cycles'), 'mine'),
    calls: [{ args: right, exit: 8 }],
  },
  {
    name: 'A62 cycles is a symlink to the outside',
    prepare: (fixture) => {
      mkdirSync(join(fixture.base, 'outside'));
      writeFileSync(join(fixture.base, 'outside', '.partial-1-1-ab'), 'not ours');
      symlinkSync(join(fixture.base, 'outside'), fixture.path('cycles'));
    },
    calls: [{ args: right, exit: 8 }],
    afterwards: (fixture) => expect(readdirSync(join(fixture.base, 'outside'))).toEqual(['.partial-1-1-ab']),
  },
  {
    name: 'A63 cycles is a symlink to the inside, or dangles',
    prepare: (fixture) => {
      mkdirSync(fixture.path('inside'));
      symlinkSync('inside', fixture.path('cycles'));
    },
    calls: [{ args: right, exit: 8 }],
    afterwards: (fixture) => expect(readdirSync(fixture.path('inside'))).toEqual([]),
  },
  {
    name: 'A68 the clock was set back: archives and handoff from the future',
    prepare: (fixture) => {
      mkdirSync(fixture.path('cycles'));
      writeFileSync(fixture.path('cycles', archiveName('033', Date.now() + 86_400_000, digest, 1)), 'later');
      const future = new Date(Date.now() + 86_400_000);
      utimesSync(fixture.hook, future, future);
    },
    calls: [{ args: right, exit: 0 }],
    afterwards: (fixture) => expect(fixture.archives()).toHaveLength(2),
  },
  {
    name: 'A69 names are UTC and ASCII, whatever zone and locale',
    calls: [{ args: right, env: { TZ: 'Pacific/Kiritimati', LC_ALL: 'ar_EG.UTF-8', LANG: 'th_TH.UTF-8' }, exit: 0 }],
    afterwards: (fixture) => {
      const stamp = /^cycle-034_(\d{8}T\d{6}Z)_[0-9a-f]{8}\.md$/.exec(fixture.archives()[0] ?? '')?.[1] ?? '';
      const iso = stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z');
      expect(Math.abs(Date.parse(iso) - Date.now())).toBeLessThan(3_600_000);
    },
  },
  {
    name: 'the ledger has one line for a dissolution, with the whole hash',
    calls: [{ args: right, exit: 0 }],
    afterwards: (fixture) => {
      const lines = readFileSync(fixture.path('cycles', 'ledger.ndjson'), 'utf8').trim().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({
          event: 'dissolved',
          by: 'human',
          sha256: digest,
          archive: fixture.archives()[0],
          tree: fixture.tree,
        }),
      ]);
    },
  },
];

gateTable('The gate: archive', cases);

describe('The gate: names that are taken', () => {
  const made: Fixture[] = [];
  afterEach(() => {
    for (const fixture of made.splice(0)) fixture.remove();
  });
  const fresh = (): Fixture => {
    const fixture = new Fixture();
    made.push(fixture);
    fixture.arm();
    return fixture;
  };

  for (const form of ['node', 'dash'] as const) {
    test(`A67 a name taken 99 times refuses, and leaves all as it was [${form}]`, async () => {
      const fixture = fresh();
      takeNames(fixture, (path) => writeFileSync(path, ''), 99);
      expect(await dissolveAt(fixture, form)).toBe(8);
      expect(fixture.archives()).toHaveLength(99);
      expect(fixture.leftovers()).toEqual([]);
      expect(readFileSync(fixture.hook, 'utf8')).toBe(usualHandoff);
    });

    test(`A67 a name taken by a folder or a dangling link is passed over [${form}]`, async () => {
      const fixture = fresh();
      let taken = 0;
      const take = (path: string): void => {
        taken += 1;
        if (taken === 1) mkdirSync(path);
        else symlinkSync('/nowhere', path);
      };
      takeNames(fixture, take, 2);
      expect(await dissolveAt(fixture, form)).toBe(0);
      expect(readdirSync(fixture.path('cycles', archiveName('034', now, digest, 1)))).toEqual([]);
      expect(readFileSync(fixture.path('cycles', archiveName('034', now, digest, 3)), 'utf8')).toBe(usualHandoff);
    });

    test(`A68 a clock set back years overwrites nothing [${form}]`, async () => {
      const fixture = fresh();
      takeNames(fixture, (path) => writeFileSync(path, 'of that moment'), 1);
      expect(await dissolveAt(fixture, form)).toBe(0);
      expect(readFileSync(fixture.path('cycles', archiveName('034', now, digest, 1)), 'utf8')).toBe('of that moment');
      expect(readFileSync(fixture.path('cycles', archiveName('034', now, digest, 2)), 'utf8')).toBe(usualHandoff);
    });
  }
});
