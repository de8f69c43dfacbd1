import { describe, expect, test } from 'vitest';
import { parseImport } from '../../src/domain/bead-import.ts';
import { GastownError } from '../../src/domain/errors.ts';

const parse = (text: string) => parseImport(text, 'work.md');
const lineOf = (text: string): string => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof GastownError && error.exit === 1) return error.line;
    throw error;
  }
  throw new Error('no error was thrown');
};

test('a Markdown task list: open tasks at any depth, indented lines are the description, ticked ones are left out', () => {
  const beads = parse(`# Plan
Some words.
- [ ] first
  how it is done
  and why
  - [ ] nested
- [x] finished
  with a description of its own
* [ ] star
1. [ ] numbered
- no task
`);
  expect(beads.map(({ line, title, description }) => [line, title, description])).toEqual([
    [3, 'first', 'how it is done\nand why'],
    [6, 'nested', ''],
    [9, 'star', ''],
    [10, 'numbered', ''],
  ]);
});

test('JSON lines: title, description, priority, needs, bead_id', () => {
  const text =
    '{"title":"a","bead_id":"gt-a","needs":["gt-b"],"priority":"P1","description":"d"}\r\n\n{"title":"b","bead_id":"gt-b"}\n';
  expect(parse(text)).toEqual([
    { line: 1, title: 'a', bead_id: 'gt-a', needs: ['gt-b'], priority: 'P1', description: 'd' },
    { line: 3, title: 'b', bead_id: 'gt-b', needs: [], priority: 'P2', description: '' },
  ]);
});

describe('a mistake names its line', () => {
  test.each([
    ['', /^work.md holds no beads; /],
    ['no tasks here', /^work.md holds no beads; /],
    ['{"title":"a"}\n{"title":', /^work.md:2: not JSON/],
    ['{"title":"a"}\n- [ ] b', /^work.md:2: not JSON/],
    ['{"titel":"a"}', /^work.md:1: (unknown key "titel"; did you mean "title"\?|title is missing)/],
    ['{"title":" "}', /^work.md:1: the title is empty$/],
    ['{"title":1}', /^work.md:1: title is missing or of the wrong form$/],
    ['{"title":"a","priority":"P9"}', /^work.md:1: priority is missing or of the wrong form$/],
    ['{"title":"a","bead_id":"../x"}', /^work.md:1: not a valid bead name: "..\/x"; bead ids look like gt-abc12$/],
    ['{"title":"a","needs":["x"]}', /^work.md:1: not a valid bead name/],
    [
      '{"title":"a","bead_id":"gt-a"}\n{"title":"b","bead_id":"gt-a"}',
      /^work.md:2: gt-a is given twice, first in line 1$/,
    ],
    ['{"title":"a","bead_id":"gt-a","needs":["gt-a"]}', /^work.md:1: gt-a needs gt-a/],
    [
      '{"title":"a","bead_id":"gt-a","needs":["gt-b"]}\n{"title":"b","bead_id":"gt-b","needs":["gt-a"]}',
      /needs gt-[ab], which needs gt-[ab] in turn$/,
    ],
    ['- [ ] a\0', /^work.md is not text/],
  ])('%j', (text, line) => {
    expect(lineOf(text)).toMatch(line);
  });
});

test('a chain of 20,000 needs is no cycle and no stack overflow', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) =>
    JSON.stringify({ title: 't', bead_id: `gt-${index}`, needs: index === 0 ? [] : [`gt-${index - 1}`] }),
  );
  expect(parse(lines.join('\n'))).toHaveLength(20_000);
});
