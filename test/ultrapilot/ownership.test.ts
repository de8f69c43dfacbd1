/** Whose a file is: every path has one owner, and no two agents may write the same (seed 004, exclusive file sets). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOverlap, ownerOf } from '../../src/domain/ultrapilot/file-sets.ts';
import { type Guard, notOwnText, whyNotOwn } from '../../src/domain/ultrapilot/ownership.ts';

const root = '/repo';
const names = ['polecat-alpha', 'polecat-bravo', 'polecat-charlie'] as const;
const part = fc.constantFrom('a', 'B', 'ab', 'é', 'src');
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const set = fc.oneof(
  path,
  path.map((folder) => `${folder}/**`),
);
/** Plans as they pass: no two sets of different workers overlap. */
const sets = fc.array(fc.tuple(fc.nat(2), set), { minLength: 1, maxLength: 12 }).map((all) => {
  const kept: [number, string][] = [];
  for (const [who, one] of all) {
    if (!kept.some(([other, of]) => other !== who && isOverlap(of, one))) kept.push([who, one]);
  }
  return kept;
});
const workersOf = (all: readonly [number, string][]): Guard['workers'] =>
  names.map((agent, at) => ({ agent, files: all.filter(([who]) => who === at).map(([, one]) => one) }));
const treeOf = (agent: string): string => (agent === 'crew-me' ? root : `${root}/.chipset/worktrees/${agent}`);
const guardOf = (agent: string, workers: Guard['workers']): Guard => ({
  run_id: 'run-1',
  agent_id: agent,
  coordinator: 'crew-me',
  workers,
  root,
  tree: treeOf(agent),
  joined: 'ultrapilot-1',
  slow: [],
});
const everyone = [...names, 'crew-me'];

describe('ownership', () => {
  it('exactly one agent may write a file, each in its own tree, and whoever else tries is told that one', () => {
    fc.assert(
      fc.property(sets, path, (all, file) => {
        const workers = workersOf(all);
        const may = everyone.filter((agent) => whyNotOwn(guardOf(agent, workers), `${treeOf(agent)}/${file}`) === null);
        expect(may).toEqual([ownerOf({ workers, coordinator: 'crew-me' }, file)]);
        for (const agent of everyone) {
          const against = whyNotOwn(guardOf(agent, workers), `${treeOf(agent)}/${file}`);
          if (against !== null) expect(against).toMatchObject({ owner: may[0], file });
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('case and the way an accent is written change no owner', () => {
    fc.assert(
      fc.property(sets, path, (all, file) => {
        const plan = { workers: workersOf(all), coordinator: 'crew-me' };
        for (const other of [file.toUpperCase(), file.toLowerCase(), file.normalize('NFD')])
          expect(ownerOf(plan, other)).toBe(ownerOf(plan, file));
      }),
      { numRuns: 1_000 },
    );
  });

  it('a tree of another, the main checkout and the tree where parts are joined are nobody’s but theirs', () => {
    fc.assert(
      fc.property(sets, path, fc.constantFrom(...names), fc.constantFrom(...names), (all, file, me, other) => {
        const guard = guardOf(me, workersOf(all));
        if (other !== me) expect(whyNotOwn(guard, `${treeOf(other)}/${file}`)).toMatchObject({ owner: other });
        expect(whyNotOwn(guard, `${root}/${file}`)).not.toBeNull();
        expect(whyNotOwn(guard, `${root}/.chipset/worktrees/ultrapilot-1/${file}`)).toMatchObject({ owner: 'crew-me' });
        expect(whyNotOwn(guard, `/elsewhere/${file}`)).toBeNull();
        expect(whyNotOwn(guard, `${root}-other/${file}`)).toBeNull();
      }),
      { numRuns: 500 },
    );
    const coordinator = guardOf('crew-me', workersOf([[0, 'src/**']]));
    expect(whyNotOwn(coordinator, `${root}/.chipset/worktrees/ultrapilot-1/src/a.ts`)).toBeNull();
    expect(whyNotOwn(coordinator, `${root}/src/a.ts`)).toMatchObject({ owner: 'polecat-alpha' });
    expect(whyNotOwn(coordinator, `${root}/.chipset/worktrees/polecat-alpha/b.ts`)).toMatchObject({
      owner: 'polecat-alpha',
    });
  });

  it('a town that is a part of its repository: what lies above it in one’s own tree is the coordinator’s', () => {
    const guard = {
      ...guardOf('polecat-alpha', workersOf([[0, 'src/**']])),
      root: '/repo/app',
      tree: '/repo/app/.chipset/worktrees/polecat-alpha/app',
    };
    expect(whyNotOwn(guard, `${guard.tree}/src/a.ts`)).toBeNull();
    expect(whyNotOwn(guard, '/repo/app/.chipset/worktrees/polecat-alpha/lib/a.ts')).toMatchObject({ owner: 'crew-me' });
  });

  it('says whose it is, what is one’s own, and how to ask', () => {
    const guard = guardOf(
      'polecat-alpha',
      workersOf([
        [0, 'src/**'],
        [1, 'lib/**'],
      ]),
    );
    const against = whyNotOwn(guard, `${guard.tree}/lib/a.ts`);
    expect(against && notOwnText(guard, against, 'gt')).toBe(
      '[gastown mode: ultrapilot] lib/a.ts belongs to polecat-bravo, not to polecat-alpha: it is in its set of the plan. Yours: src/**. What should change there: gt mail send polecat-bravo "…".',
    );
  });
});
