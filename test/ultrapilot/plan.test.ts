/** The plan: exclusive sets, who owns what, what is refused and how it is told (issue 6, ultrapilot). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filesWrittenBy } from '../../src/domain/shell-writes.ts';
import { fileSet, isInSet, isOverlap, ownerOf } from '../../src/domain/ultrapilot/file-sets.ts';
import { parsePlan, planTemplate } from '../../src/domain/ultrapilot/plan.ts';

const agents = ['crew-me', 'polecat-alpha', 'polecat-bravo'];
const plan = (workers: readonly { agent: string; task?: string; files: readonly string[] }[]): string =>
  JSON.stringify({
    goal: 'the shop',
    coordinator: 'crew-me',
    workers: workers.map((worker) => ({ task: 'its part', ...worker })),
  });
const refusal = (text: string): string => {
  try {
    parsePlan(text, 'plan.yaml', agents);
    return 'accepted';
  } catch (error) {
    expect(error).toMatchObject({ exit: 1 });
    return (error as { line: string }).line;
  }
};

describe('a plan', () => {
  it('an overlap is refused with both owners named, and where it stands', () => {
    const text = `goal: the shop
coordinator: crew-me
workers:
  - {agent: polecat-alpha, task: the cart, files: [src/cart/**]}
  - {agent: polecat-bravo, task: the till, files: [src/till/**, src/cart/total.ts]}
`;
    const line = refusal(text);
    expect(line).toMatch(
      /^plan\.yaml:5:\d+: src\/cart\/total\.ts of polecat-bravo overlaps src\/cart\/\*\* of polecat-alpha; /,
    );
  });

  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['src/**', 'src/a/b/c.ts'],
    ['src/', './src/a.ts'],
    ['**', 'README.md'],
    ['src/Cart/**', 'src/cart/x.ts'],
    ['src', 'src/**'],
  ])('%s and %s overlap', (a, b) => {
    expect(isOverlap(a, b)).toBe(true);
    expect(
      refusal(
        plan([
          { agent: 'polecat-alpha', files: [a] },
          { agent: 'polecat-bravo', files: [b] },
        ]),
      ),
    ).toContain('overlaps');
  });

  it.each([
    ['src/a.ts', 'src/b.ts'],
    ['src/cart/**', 'src/cart2/x.ts'],
    ['src/cart/**', 'src/cart.ts'],
  ])('%s and %s do not', (a, b) => expect(isOverlap(a, b)).toBe(false));

  it('two sets overlap exactly where some file is of both', () => {
    const part = fc.constantFrom('a', 'b', 'ab');
    const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const set = fc.oneof(
      path,
      path.map((folder) => `${folder}/**`),
      fc.constant('**'),
    );
    const every: string[] = [];
    for (const one of ['a', 'b', 'ab']) {
      every.push(one);
      for (const two of ['a', 'b', 'ab']) {
        every.push(`${one}/${two}`);
        for (const three of ['a', 'b', 'ab', 'z']) {
          every.push(`${one}/${two}/${three}`);
          for (const four of ['a', 'z']) every.push(`${one}/${two}/${three}/${four}`);
        }
      }
    }
    fc.assert(
      fc.property(set, set, (x, y) => {
        expect(isOverlap(x, y)).toBe(every.some((file) => isInSet(x, file) && isInSet(y, file)));
        expect(isOverlap(x, y)).toBe(isOverlap(y, x));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['an agent that is not here', plan([{ agent: 'polecat-zulu', files: ['a'] }]), 'no agent is called "polecat-zulu"'],
    [
      'an agent twice',
      plan([
        { agent: 'polecat-alpha', files: ['a'] },
        { agent: 'polecat-alpha', files: ['b'] },
      ]),
      'is there twice',
    ],
    ['no worker', plan([]), 'workers is empty'],
    ['no file', plan([{ agent: 'polecat-alpha', files: [] }]), 'files is empty'],
    ['no task', plan([{ agent: 'polecat-alpha', task: ' ', files: ['a'] }]), 'the task of polecat-alpha is empty'],
    ['an unknown key', 'goal: x\ncoordinator: crew-me\nworker: []\n', 'unknown key "worker"'],
    ['an empty file', '', 'is missing'],
    ['no YAML', 'goal: [', 'plan.yaml:1'],
  ])('%s is told in one line', (_what, text, words) => {
    const line = refusal(text);
    expect(line).toContain(words);
    expect(line).not.toContain('\n');
  });

  it.each(
    ['../x', '/etc/passwd', 'src/../x', 'src/*.ts', 'a\\b', '', '/', 'src//x', './', 'a/./b', '[ab]'].filter(
      (text) => text !== './',
    ),
  )('%j is no set of files', (text) => {
    expect(fileSet(text)).toBeNull();
    expect(refusal(plan([{ agent: 'polecat-alpha', files: [text] }]))).toMatch(/is no set of files/);
  });

  it('whatever is in no set is the coordinator’s', () => {
    const parsed = parsePlan(plan([{ agent: 'polecat-alpha', files: ['src/cart/', 'a.ts'] }]), 'plan.yaml', agents);
    expect(parsed.workers[0]?.files).toEqual(['src/cart/**', 'a.ts']);
    expect(ownerOf(parsed, 'src/cart/deep/x.ts')).toBe('polecat-alpha');
    expect(ownerOf(parsed, 'a.ts')).toBe('polecat-alpha');
    expect(ownerOf(parsed, 'package.json')).toBe('crew-me');
    expect(ownerOf(parsed, 'src/cart2.ts')).toBe('crew-me');
  });

  it('the template is YAML, and says what is still to be filled in', () => {
    expect(refusal(planTemplate('build "it": all', 'crew-me', ['polecat-alpha']))).toContain('files is empty');
  });
});

describe('what a command line writes', () => {
  it.each([
    ['echo x > a.ts', ['a.ts']],
    ['echo x >>a.ts 2>&1', ['a.ts']],
    ['make 2>errors.log &>all.log', ['errors.log', 'all.log']],
    ['cat a.ts b.ts', []],
    ['echo ">" a.ts', []],
    ["echo 'x > y' > 'my file.ts'", ['my file.ts']],
    ['cat x | tee -a one two', ['one', 'two']],
    ["sed -i 's/a/b/' a.ts b.ts", ['a.ts', 'b.ts']],
    ["sed -i -e 's/a/b/' a.ts", ['a.ts']],
    ["sed 's/a/b/' a.ts", []],
    ['rm -rf build && mv a.ts b.ts', ['build', 'a.ts', 'b.ts']],
    ['cp a.ts src/b.ts', ['src/b.ts']],
    ['git mv a.ts b.ts; git status', ['a.ts', 'b.ts']],
    ['npm test >/dev/null', []],
    ['sudo touch x', ['x']],
    ['echo "unfinished', []],
  ])('%s', (line, files) => expect(filesWrittenBy(line)).toEqual(files));
});
