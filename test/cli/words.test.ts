import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gastown, gt } from '../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
beforeAll(() => {
  town = scratchTown();
});
afterAll(() => town.stop());

describe('DESIGN section 6: a mistake in the words is exit 1 and one line with the nearest right word', () => {
  test.each([
    [['staus'], 'unknown command "staus"; did you mean "status"?'],
    [['constructor'], 'unknown command "constructor"; see gastown --help'],
    [['bead'], 'bead needs a verb; use one of add, list, show, ready, reopen, close, import'],
    [['bead', 'ad', 'x'], 'unknown command "bead ad"; did you mean "add"?'],
    [['help', 'staus'], 'unknown command "staus"; did you mean "status"?'],
    [['status', '--jsn'], 'unknown option "--jsn"; did you mean "--json"?'],
    [['bead', 'add', '--prioritee', 'x'], 'unknown option "--prioritee"; did you mean "--priority"?'],
    [['--jsn'], 'unknown option "--jsn"; see gastown --help'],
    [['bead', 'show'], "missing required argument 'bead'; usage: gastown bead show <bead>"],
    [
      ['clear', 'a', 'b'],
      "too many arguments for 'clear'. Expected 1 argument but got 2; usage: gastown clear <agent>",
    ],
    [['bead', 'list', '--status', 'opne'], 'status "opne" is not known; did you mean "open"?'],
    [['bead', 'add', 'x', '--priority', 'P4'], /^priority "P4" is not known; did you mean "P1"\?/],
    [['peek', 'polecat-alpha', '--lines', '0'], /^--lines must be a whole number from 1 to 10000/],
    [['clear', 'polecat-alpha', '--force'], '--force needs a reason; add --reason "…"'],
    [['up', '--demo', '--agents', 'sim', '--detach'], '--demo brings its own agents; leave --agents out'],
    [['up', '--agents', 'cluade', '--detach'], '--agents: unknown runtime "cluade"; did you mean "claude"?'],
    [['sim', 'polecat-alpha', 'stal'], 'behaviour "stal" is not known; did you mean "stall"?'],
  ] as [string[], string | RegExp][])('gastown %j', async (words, line) => {
    const { code, out, err } = await gastown(town, words);
    expect(out).toBe('');
    expect(err).toMatch(/^gastown: [^\n]+\n$/);
    if (typeof line === 'string') expect(err).toBe(`gastown: ${line}\n`);
    else expect(err.slice('gastown: '.length)).toMatch(line);
    expect(code).toBe(1);
  });
});

test('"--" ends options everywhere', async () => {
  const { code, out } = await gastown(town, ['bead', 'add', '--json', '--', '--force', '-x']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ title: '--force -x', status: 'open' });
  expect((await gastown(town, ['--', 'staus'])).err).toContain('did you mean "status"?');
});

test('help is made from the table of commands, on stdout, exit 0', async () => {
  const { code, out, err } = await gastown(town, ['--help']);
  expect([code, err]).toEqual([0, '']);
  for (const name of ['init', 'up', 'down', 'status', 'bead', 'sling', 'clear', 'nudge', 'doctor']) {
    expect(out).toMatch(new RegExp(`^  ${name}`, 'm'));
  }
  expect((await gastown(town, ['bead', 'add', '--help'])).out).toContain('--priority');
  expect((await gt(town, 'polecat-alpha', [])).out).toContain('who you are, what is on your hook');
});

test('a bug is one line; its stack shows with --debug only', async () => {
  const broken = { root: town.root, env: town.env };
  const cwd = 7 as unknown as string;
  const plain = await gastown(broken, ['bead', 'list'], { cwd });
  expect(plain.err).toMatch(/^gastown: internal error: [^\n]+; rerun with --debug and report it\n$/);
  expect(plain.code).toBe(1);
  expect((await gastown(broken, ['bead', 'list', '--debug'], { cwd })).err).toMatch(/\n {4}at /);
});
