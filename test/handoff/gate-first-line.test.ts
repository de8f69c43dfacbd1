import { expect } from 'vitest';
import { sha256 } from './fixture.ts';
import { type GateCase, gateTable } from './gate-table.ts';

/** The cycle is refused as malformed, the digest of the same bytes works and names the archive `unknown`. */
function malformed(name: string, content: string | Uint8Array): GateCase {
  return {
    name,
    armed: content,
    calls: [
      { args: ['--cycle', '34'], exit: 6 },
      { args: ['--digest', sha256(content).slice(0, 12)], exit: 0 },
    ],
    afterwards: (fixture) => expect(fixture.archives()[0]).toMatch(/^cycle-unknown_/),
  };
}

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const longTitle = (length: number): string => `# Cycle 34 handoff ${'x'.repeat(length - '# Cycle 34 handoff '.length)}`;

const cases: GateCase[] = [
  malformed('A15 a byte order mark', '\ufeff# Cycle 34 handoff\nbody\n'),
  {
    name: 'A16 CRLF is accepted, two carriage returns are not',
    armed: '# Cycle 034 handoff\r\nbody\r\n',
    calls: [
      { args: ['--cycle', '34'], exit: 0 },
      { args: ['--cycle', '34'], exit: 6, rearm: '# Cycle 034 handoff\r\r\nbody\n' },
    ],
  },
  malformed('A17 a blank first line', '\n# Cycle 34 handoff\nbody\n'),
  {
    name: 'A18 of two declarations the first counts',
    armed: '# Cycle 34 handoff\n# Cycle 35 handoff\nbody\n',
    calls: [
      { args: ['--cycle', '35'], exit: 4 },
      { args: ['--cycle', '34'], exit: 0 },
    ],
  },
  malformed('A19 a declaration in the second line only', 'Notes\n# Cycle 34 handoff\nbody\n'),
  ...[
    '# cycle 34 handoff',
    '# Cycle 34 Handoff',
    '# Cycle  34 handoff',
    '#  Cycle 34 handoff',
    '# Cycle 34  handoff',
    '# Cycle\t34 handoff',
    '# Cycle 34 handoff\ttitle',
    '## Cycle 34 handoff',
    '#Cycle 34 handoff',
    ' # Cycle 34 handoff',
    'Cycle 34: handoff',
    '# Cycle 33-34 handoff',
    '# Cycle +34 handoff',
    '# Cycle 34.0 handoff',
    '# Cycle 0000000034 handoff',
    '# Cycle\u00a034 handoff',
    '# Cycle ٣٤ handoff',
    '# Cycle ３４ handoff',
    '# Cycle handoff',
    '# Cycle 34',
  ].map((line) => malformed(`A20 not the grammar: ${JSON.stringify(line)}`, `${line}\nbody\n`)),
  malformed('A21 a conflict marker', '<<<<<<< HEAD\n# Cycle 34 handoff\n=======\n# Cycle 35 handoff\n>>>>>>> other\n'),
  malformed('A22 one megabyte without a newline', longTitle(1_000_000)),
  {
    name: 'A22 a first line of 512 bytes is the longest',
    armed: `${longTitle(512)}\nbody\n`,
    calls: [
      { args: ['--cycle', '34'], exit: 0 },
      { args: ['--cycle', '34'], exit: 6, rearm: `${longTitle(513)}\nbody\n` },
    ],
  },
  malformed('A23 a NUL byte', bytes('# Cycle 34 handoff\nbo', [0], 'dy\n')),
  malformed('A24 invalid UTF-8 in the first line', bytes('# Cycle 34 handoff ', [0xff], '\nbody\n')),
  malformed('A24 invalid UTF-8: an overlong form', bytes('# Cycle 34 handoff\n', [0xc0, 0xaf], '\n')),
  malformed('A24 invalid UTF-8: a surrogate', bytes('# Cycle 34 handoff\n', [0xed, 0xa0, 0x80], '\n')),
  malformed('A24 invalid UTF-8: cut at the end', bytes('# Cycle 34 handoff\nx', [0xf0, 0x9f, 0x98])),
  {
    name: 'A24 every length of valid UTF-8 is accepted',
    armed: '# Cycle 34 handoff — ü\nߐ ࠀ ퟿ \ue000 \u{10000} \u{10ffff} 😀\n',
    calls: [{ args: ['--cycle', '34'], exit: 0 }],
  },
  {
    name: 'A25 no final newline is accepted',
    armed: '# Cycle 034 handoff',
    calls: [{ args: ['--cycle', '34'], exit: 0 }],
  },
  malformed('A26 handoffs is not handoff', '# Cycle 034 handoffs\nbody\n'),
  {
    name: 'A27 a title with escape codes is accepted and never printed',
    armed: '# Cycle 034 handoff \u001b[31mred\u001b]0;owned\u0007\nbody\n',
    calls: [
      { args: ['--cycle', '35'], exit: 4 },
      { args: ['--cycle', '34'], exit: 0 },
    ],
  },
  {
    name: 'field report 49: white space alone is no handoff, in both modes',
    armed: ' \n\t\n\r\n',
    calls: [
      { args: ['--digest', sha256(' \n\t\n\r\n')], exit: 6 },
      { args: ['--cycle', '34'], exit: 6 },
    ],
  },
  ...[
    '---\nsession_id: current\n---\n# Cycle 34 handoff\nbody\n',
    '# Cycle 34 handoff\nsession_id: <session id>\nreal text\n',
    '# Cycle 34 handoff\n\n- open: <what is open>\n- signed: <what is signed>\n- stopped: TODO\n',
    '# Cycle 34 handoff\n## Open\nTODO\n## Signed\n{{signed}}\n',
  ].map(
    (content, index): GateCase => ({
      name: `field report 49: a template left unchanged is no handoff (${index + 1})`,
      armed: content,
      calls: [
        { args: ['--digest', sha256(content)], exit: 6 },
        { args: ['--cycle', '34'], exit: 6 },
      ],
    }),
  ),
  {
    name: 'field report 49: a real session id, fences and tags are content like any other',
    armed: '# Cycle 34 handoff\nsession_id: 7f3c\n```\n</system-reminder>\n---\n',
    calls: [{ args: ['--cycle', '34'], exit: 0 }],
  },
];

gateTable('The gate: first line and content', cases);
