import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Fixture, usualHandoff } from './fixture.ts';
import { type GateCase, gateTable } from './gate-table.ts';

const refused = (exit: number): GateCase['calls'] => [
  { args: ['--cycle', '34'], exit },
  { args: ['--digest', '0123456789ab'], exit },
];

const elsewhere = (fixture: Fixture): string => join(fixture.base, 'precious.md');

const cases: GateCase[] = [
  {
    name: 'T10 a symlinked hook is refused, its target intact',
    armed: null,
    prepare: (fixture) => {
      writeFileSync(elsewhere(fixture), usualHandoff);
      symlinkSync(elsewhere(fixture), fixture.hook);
    },
    calls: refused(6),
    afterwards: (fixture) => expect(readFileSync(elsewhere(fixture), 'utf8')).toBe(usualHandoff),
  },
  { name: 'A28 a directory', armed: null, prepare: (fixture) => void mkdirSync(fixture.hook), calls: refused(6) },
  {
    name: 'A29 a FIFO answers at once',
    armed: null,
    prepare: (fixture) => void execFileSync('mkfifo', [fixture.hook]),
    calls: refused(6),
  },
  {
    name: 'A30 a socket',
    armed: null,
    prepare: async (fixture) => {
      const server = createServer();
      // A socket's path has a short limit: it is made beside the tree and moved in.
      const path = join(fixture.base, 's');
      server.listen(path);
      await once(server, 'listening');
      renameSync(path, fixture.hook);
      server.close();
    },
    calls: refused(6),
  },
  ...(process.getuid?.() === 0
    ? [
        {
          name: 'A30 a device',
          armed: null,
          prepare: (fixture: Fixture) => void execFileSync('mknod', [fixture.hook, 'c', '1', '5']),
          calls: refused(6),
        },
      ]
    : []),
  {
    name: 'A31 a dangling symlink is armed, and unsafe',
    armed: null,
    prepare: (fixture) => symlinkSync('/nowhere/at/all', fixture.hook),
    calls: refused(6),
  },
  {
    name: 'A32 a symlink to a file inside the tree',
    armed: null,
    prepare: (fixture) => {
      writeFileSync(fixture.path('real.md'), usualHandoff);
      symlinkSync('real.md', fixture.hook);
    },
    calls: refused(6),
  },
  {
    name: 'A33 a hard link',
    prepare: (fixture) => linkSync(fixture.hook, fixture.path('second-name.md')),
    calls: refused(6),
  },
  {
    name: 'A34 a sparse file of 20 GB is refused',
    armed: '# Cycle 34 handoff\n',
    prepare: (fixture) => truncateSync(fixture.hook, 20 * 1024 ** 3),
    calls: refused(6),
  },
  {
    name: 'A34 one byte more than the limit is refused, the limit itself is not',
    armed: `# Cycle 34 handoff\n${'x'.repeat(1_048_576 - 19)}`,
    calls: [
      { args: ['--cycle', '34'], exit: 0 },
      { args: ['--cycle', '34'], exit: 6, rearm: `# Cycle 34 handoff\n${'x'.repeat(1_048_576 - 18)}` },
    ],
  },
  {
    name: 'A40 a name that differs in case only is not armed',
    armed: null,
    prepare: (fixture) => writeFileSync(fixture.path('hook_next_cycle.md'), usualHandoff),
    calls: refused(3),
  },
  { name: 'no hook at all is not armed', armed: null, calls: refused(3) },
];

gateTable('The gate: file type', cases);
