import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type RefusalReason, refusalText } from '../../src/domain/handoff-refusal.ts';
import { Fixture, run, sha256, usualHandoff } from './fixture.ts';

// Generous: on a busy machine a case of many processes takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const made: Fixture[] = [];
const fixture = (): Fixture => {
  const one = new Fixture();
  made.push(one);
  return one;
};
afterAll(() => {
  for (const one of made) one.remove();
});

const digest = sha256(usualHandoff);
const nearTail = digest.slice(0, 63) + (digest[63] === '0' ? '1' : '0');
const misses = [
  ['--cycle', '35'],
  ['--cycle', '33'],
  ['--cycle', '340'],
  ['--cycle', '999999999'],
  ['--digest', nearTail],
  ['--digest', '0'.repeat(12)],
  ['--digest', 'f'.repeat(64)],
];

describe.concurrent('The gate tells nothing', () => {
  for (const form of ['node', 'dash'] as const) {
    test(`A76 near and far misses are the same bytes, in both modes of proof [${form}]`, async () => {
      const tree = fixture();
      tree.arm();
      const modes = form === 'node' ? [[], ['--json'], ['--debug'], ['--json', '--debug']] : [[]];
      for (const mode of modes) {
        const results = [];
        for (const miss of misses) results.push(await run(tree, form, { args: [...miss, ...mode] }));
        for (const result of results) expect(result).toEqual(results[0]);
        expect(results[0]?.code).toBe(4);
      }
    });
  }

  test('A75 no refusal of the table holds a digit, whatever it is about', () => {
    const reasons = readFileSync(new URL('../../src/domain/handoff-refusal.ts', import.meta.url), 'utf8').matchAll(
      /^ {2}([a-z_]+): \[$|^ {2}([a-z_]+): \[\d/gm,
    );
    const names = Array.from(reasons, (match) => (match[1] ?? match[2]) as RefusalReason);
    expect(names.length).toBeGreaterThan(25);
    for (const reason of names) {
      expect(refusalText({ reason, errno: 'ENOSPC' })).not.toMatch(/[0-9]/);
      expect(refusalText({ reason })).not.toContain('\n');
    }
  });

  test('A75 the help works without a handoff and shows invented values only', async () => {
    const tree = fixture();
    for (const form of ['node', 'dash'] as const) {
      const bare = await run(tree, form, { args: ['--help'] });
      tree.arm('# Cycle 87654321 handoff\nbody\n');
      expect(await run(tree, form, { args: ['--help'] })).toEqual(bare);
      expect(bare.code).toBe(0);
    }
  });

  test('A78 archive names never hold twelve hex digits of the hash', async () => {
    const tree = fixture();
    for (const form of ['node', 'dash', 'bash'] as const) {
      tree.arm();
      await run(tree, form, { args: ['--digest', digest] });
    }
    expect(tree.archives()).toHaveLength(3);
    for (const name of tree.archives()) {
      expect(name).toContain(digest.slice(0, 8));
      expect(name).not.toContain(digest.slice(0, 9));
    }
  });

  test('both forms say the same sentences', () => {
    const script = readFileSync(new URL('../../src/town/handoff/dissolve_hook.sh', import.meta.url), 'utf8');
    const shared: RefusalReason[] = [
      'usage',
      'not_armed',
      'finished',
      'no_match',
      'no_cwd',
      'inside_git',
      'inside_bare',
      'nested',
      'outside',
      'other_toplevel',
      'session_tree',
      'role',
      'symlink',
      'not_regular',
      'linked',
      'empty',
      'too_large',
      'unreadable',
      'first_line',
      'not_text',
      'placeholder',
      'lost',
      'changed',
      'both_kept',
      'archive_folder',
      'archive_names',
    ];
    for (const reason of shared) expect(script).toContain(`'${refusalText({ reason })}'`);
  });
});
