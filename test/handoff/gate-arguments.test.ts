import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { type Fixture, sha256, usualHandoff } from './fixture.ts';
import { type Expected, type GateCase, gateTable } from './gate-table.ts';

const digest = sha256(usualHandoff);
const armed034 = '# Cycle 034 handoff\nbody\n';
const wrongTail = digest.slice(0, 12) + (digest[12] === '0' ? '1' : '0');

const refusedAll = (values: readonly string[]): Expected[] =>
  values.map((value) => ({ args: ['--cycle', value], exit: 2 }));

const nothingRan = (fixture: Fixture): void => expect(existsSync(fixture.path('x'))).toBe(false);

const cases: GateCase[] = [
  { name: 'T1 a bare call is refused, hook bytes and inode unchanged', calls: [{ args: [], exit: 2 }] },
  {
    name: 'T2 a wrong cycle and a wrong digest are refused, the hook stays armed',
    calls: [
      { args: ['--cycle', '35'], exit: 4 },
      { args: ['--digest', '0123456789ab'], exit: 4 },
      { args: ['--cycle=34'], exit: 0 },
    ],
  },
  {
    name: 'A1 034, 34 and 0034 are accepted for 034',
    calls: ['034', '34', '0034', '000000034'].map((value) => ({ args: ['--cycle', value], exit: 0, rearm: armed034 })),
  },
  { name: 'A2 28, octal of 034, is refused', calls: [{ args: ['--cycle', '28'], exit: 4 }] },
  {
    name: 'A3 08 and 09 work',
    calls: [
      { args: ['--cycle', '08'], exit: 0, rearm: '# Cycle 08 handoff\nx\n' },
      { args: ['--cycle', '9'], exit: 0, rearm: '# Cycle 09 handoff\nx\n' },
      { args: ['--cycle', '00'], exit: 0, rearm: '# Cycle 0 handoff\nx\n' },
    ],
  },
  {
    name: 'A4 arithmetic and substitutions are refused without side effect',
    calls: refusedAll(['30+4', '$((34))', '$(touch x)', 'a[$(touch x)]', '`touch x`', '34;touch x', '17*2']),
    afterwards: nothingRan,
  },
  {
    name: 'A5 other ways to write thirty-four are refused',
    calls: refusedAll(['0x22', '0b100010', '0o42', '1e3', '3.4e1', '34.0', '34n', '1_0', '+34', '-34', '34abc']),
  },
  {
    name: 'A6 space, newline, tab, NBSP and zero-width characters are refused',
    calls: refusedAll([' 34', '34 ', '34\n', '\n34', '34\t', '\u00a034', '34\u200b', '\ufeff34', '34\r']),
  },
  { name: 'A7 digits of other scripts are refused', calls: refusedAll(['٣٤', '３４', '३४', '𝟛𝟜']) },
  {
    name: 'A8 empty value, flag without value, flag as value',
    calls: [
      ['--cycle', ''],
      ['--cycle='],
      ['--digest='],
      ['--cycle'],
      ['--digest'],
      ['--cycle', '--digest'],
      ['--cycle', '--json'],
    ].map((args) => ({ args, exit: 2 })),
  },
  {
    name: 'A9 both flags, a repeated flag, positional words, unknown flags',
    calls: [
      ['--cycle', '34', '--digest', digest],
      ['--cycle', '34', '--cycle', '34'],
      ['--cycle=34', '--cycle=35'],
      ['34'],
      ['--cycle', '34', 'extra'],
      ['extra', '--cycle', '34'],
      ['--force', '--cycle', '34'],
      ['--yes'],
      ['--all'],
      ['-c', '34'],
      ['--cycl', '34'],
      ['--root', '/', '--cycle', '34'],
    ].map((args) => ({ args, exit: 2 })),
  },
  {
    name: 'A10 ten digits are refused, and large numbers never collide',
    calls: [
      ...refusedAll(['0000000034', '9007199254740993', '9007199254740992']),
      { args: ['--cycle', '999999998'], exit: 4, rearm: '# Cycle 999999999 handoff\nx\n' },
      { args: ['--cycle', '999999999'], exit: 0 },
    ],
  },
  {
    name: 'A11 digests: length, characters, case, full length, wrong tail',
    calls: [
      { args: ['--digest', digest.slice(0, 11)], exit: 2 },
      { args: ['--digest', `${digest}0`], exit: 2 },
      { args: ['--digest', `0x${digest.slice(0, 12)}`], exit: 2 },
      { args: ['--digest', `sha256:${digest.slice(0, 12)}`], exit: 2 },
      { args: ['--digest', `${digest.slice(0, 12)}g`], exit: 2 },
      { args: ['--digest', `${digest.slice(0, 12)} `], exit: 2 },
      { args: ['--digest', `${digest.slice(0, 12)}*`], exit: 2 },
      { args: ['--digest', wrongTail], exit: 4 },
      { args: ['--digest', digest.slice(1)], exit: 4 },
      { args: ['--digest', digest.slice(0, 16).toUpperCase()], exit: 0 },
      { args: [`--digest=${digest}`], exit: 0, rearm: usualHandoff },
    ],
  },
  {
    name: 'A12 the digest of nothing does not dissolve an empty hook',
    armed: '',
    calls: [
      { args: ['--digest', sha256('')], exit: 6 },
      { args: ['--cycle', '34'], exit: 6 },
    ],
  },
  {
    name: 'A13 a value in the environment is ignored',
    calls: [
      { args: [], env: { CYCLE: '34', GT_CYCLE: '34', DIGEST: digest, value: '34', mode: 'cycle' }, exit: 2 },
      { args: ['--cycle'], env: { CYCLE: '34', value: '34' }, exit: 2 },
    ],
  },
  {
    name: 'A14 a value behind -- is refused',
    calls: [
      { args: ['--', '--cycle', '34'], exit: 2 },
      { args: ['--', '34'], exit: 2 },
      { args: ['--cycle', '--', '34'], exit: 2 },
    ],
  },
];

gateTable('The gate: arguments', cases);
