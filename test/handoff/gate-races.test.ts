/** A36 to A39 and A72: what happens between two steps. The Node form is interfered with at each of its own steps. */
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DissolveStep, dissolve, dissolveSteps } from '../../src/town/handoff/dissolve.ts';
import { recover } from '../../src/town/handoff/recover.ts';
import { Fixture, runProcess, usualHandoff } from './fixture.ts';
import { buildGateProgram, type GateProgram } from './gate-program.ts';

// Generous: on a busy machine a case of many processes takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

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

const other = '# Cycle 035 handoff\n\nsomething else\n';
const PATH = process.env['PATH'];

function dissolveWith(fixture: Fixture, at: DissolveStep, interfere: () => void) {
  const onStep = (step: DissolveStep): void => {
    if (step === at) interfere();
  };
  const proof = { kind: 'cycle', digits: '34' } as const;
  return dissolve({ cwd: fixture.tree, env: { PATH }, proof, now: Date.now(), onStep });
}

const early: DissolveStep[] = ['opened', 'matched', 'archived', 'rehashed'];

describe('The gate: interference between two steps', () => {
  for (const step of early) {
    test(`A36 deleted after ${step}: refused, no archive`, async () => {
      const fixture = fresh();
      const outcome = await dissolveWith(fixture, step, () => unlinkSync(fixture.hook));
      expect(outcome).toEqual({ kind: 'refused', refusal: { reason: 'lost' } });
      expect(fixture.archives()).toEqual([]);
      expect(fixture.leftovers()).toEqual([]);
    });

    test(`A37 replaced after ${step}: refused, the new one is armed`, async () => {
      const fixture = fresh();
      const outcome = await dissolveWith(fixture, step, () => {
        unlinkSync(fixture.hook);
        writeFileSync(fixture.hook, other);
      });
      expect(outcome).toEqual({ kind: 'refused', refusal: { reason: 'changed' } });
      expect(readFileSync(fixture.hook, 'utf8')).toBe(other);
      expect(lstatSync(fixture.hook).nlink).toBe(1);
      expect(fixture.archives()).toEqual([]);
      expect(fixture.leftovers()).toEqual([]);
    });

    test(`A38 appended to in place after ${step}: refused, all bytes armed`, async () => {
      const fixture = fresh();
      const outcome = await dissolveWith(fixture, step, () => appendFileSync(fixture.hook, 'more\n'));
      expect(outcome).toEqual({ kind: 'refused', refusal: { reason: 'changed' } });
      expect(readFileSync(fixture.hook, 'utf8')).toBe(`${usualHandoff}more\n`);
      expect(fixture.archives()).toEqual([]);
      expect(fixture.leftovers()).toEqual([]);
    });

    test(`A39 replaced by a symlink after ${step}: refused, its target intact`, async () => {
      const fixture = fresh();
      const target = join(fixture.base, 'precious');
      const outcome = await dissolveWith(fixture, step, () => {
        writeFileSync(target, usualHandoff);
        unlinkSync(fixture.hook);
        symlinkSync(target, fixture.hook);
      });
      expect(outcome).toEqual({ kind: 'refused', refusal: { reason: 'changed' } });
      expect(lstatSync(fixture.hook).isSymbolicLink()).toBe(true);
      expect(readFileSync(target, 'utf8')).toBe(usualHandoff);
      expect(fixture.archives()).toEqual([]);
      expect(fixture.leftovers()).toEqual([]);
    });
  }

  test('A37 a change and a new handoff at once: both are kept, and both are dissolved in turn', async () => {
    const fixture = fresh();
    const onStep = (step: DissolveStep): void => {
      if (step === 'rehashed') writeFileSync(fixture.hook, other);
      if (step === 'claimed') writeFileSync(fixture.hook, '# Cycle 036 handoff\nthird\n');
    };
    const call = (digits: string, steps?: (step: DissolveStep) => void) =>
      dissolve({
        cwd: fixture.tree,
        env: { PATH },
        proof: { kind: 'cycle', digits },
        now: Date.now(),
        ...(steps ? { onStep: steps } : {}),
      });
    expect(await call('34', onStep)).toEqual({ kind: 'refused', refusal: { reason: 'both_kept' } });
    expect(readFileSync(fixture.hook, 'utf8')).toContain('Cycle 036');
    expect(fixture.leftovers()).toHaveLength(1);
    // While this process lives its claim counts as held for a minute; a later run gives it its name back.
    const later = Date.now() + 120_000;
    expect(await call('36')).toMatchObject({ kind: 'dissolved' });
    recover(fixture.tree, later);
    expect(readFileSync(fixture.hook, 'utf8')).toBe(other);
    expect(await call('35')).toMatchObject({ kind: 'dissolved' });
    expect(fixture.leftovers()).toEqual([]);
  });

  test('a new handoff that appears after the claim stays armed, and the old one is archived', async () => {
    const fixture = fresh();
    const outcome = await dissolveWith(fixture, 'claimed', () => writeFileSync(fixture.hook, other));
    expect(outcome).toMatchObject({ kind: 'dissolved' });
    expect(readFileSync(fixture.hook, 'utf8')).toBe(other);
    expect(readFileSync(fixture.path('cycles', fixture.archives()[0] ?? ''), 'utf8')).toBe(usualHandoff);
  });
});

describe('The gate: killed after each step', () => {
  let program: GateProgram;
  beforeAll(async () => {
    program = await buildGateProgram();
  });
  afterAll(() => program.remove());

  for (const step of dissolveSteps) {
    test(`A72 kill -9 after ${step}: the next run converges, no byte is lost [node]`, async () => {
      const fixture = fresh();
      const env = { PATH: PATH ?? '', GASTOWN_TEST: '1', GASTOWN_KILL_AFTER: step };
      const killed = await runProcess(process.execPath, [program.path, '--cycle', '34'], { cwd: fixture.tree, env });
      expect(killed.code).toBeNull();
      const proof = { kind: 'cycle', digits: '34' } as const;
      const next = await dissolve({ cwd: fixture.tree, env: { PATH }, proof, now: Date.now() });

      const isArchived = dissolveSteps.indexOf(step) >= dissolveSteps.indexOf('claimed');
      if (step === 'removed') expect(next).toEqual({ kind: 'refused', refusal: { reason: 'not_armed' } });
      else if (isArchived) expect(next).toEqual({ kind: 'refused', refusal: { reason: 'finished' } });
      else expect(next).toMatchObject({ kind: 'dissolved' });
      expect(existsSync(fixture.hook)).toBe(false);
      expect(fixture.leftovers()).toEqual([]);
      const archives = fixture.archives();
      // Killed between copy and claim, a run leaves its copy: one archive too many, none too few.
      expect(archives.length).toBe(step === 'archived' || step === 'rehashed' ? 2 : 1);
      for (const name of archives) expect(readFileSync(fixture.path('cycles', name), 'utf8')).toBe(usualHandoff);
      const ledger = readFileSync(fixture.path('cycles', 'ledger.ndjson'), 'utf8').trim().split('\n');
      expect(ledger).toHaveLength(1);
    });
  }

  test('a partial copy of a killed run is swept, one of a live run is not', () => {
    const fixture = fresh();
    const now = Date.now();
    const seconds = Math.floor(now / 1000);
    recover(fixture.tree, now);
    const folder = fixture.path('cycles');
    const names = [
      `.partial-${process.pid}-${seconds}-ab`,
      `.partial-4194304-${seconds}-ab`,
      `.partial-${process.pid}-1000-ab`,
    ];
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    for (const name of names) writeFileSync(join(folder, name), 'half');
    recover(fixture.tree, now);
    expect(readdirSync(folder)).toEqual([names[0]]);
  });
});
