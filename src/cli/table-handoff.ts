/** Rows about handoffs, the same for people and agents but for `cycle` and `install`. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;
const handoff = () => import('./commands/handoff.ts');

const words = [
  ['-t, --title <text>', 'the rest of its first line'],
  ['-f, --file <path>', 'its text; - reads standard input; without it the facts of the tree are written'],
] as const;

const forEveryone: readonly Command[] = [
  {
    name: 'handoff write',
    does: 'arms a handoff in this tree for the next session; never over one that is armed',
    options: [
      ...words,
      ['--supersede-cycle <n>', 'archive the armed one first, for the cycle it declares'],
      ['--supersede-digest <hex>', 'the same, for twelve or more hex digits of its SHA-256'],
      json,
    ],
    run: (call) => handoff().then(({ write }) => write(call)),
  },
  {
    name: 'handoff show',
    does: 'the armed handoff of this tree, with hidden characters made visible',
    options: [json],
    run: (call) => handoff().then(({ show }) => show(call)),
  },
  {
    name: 'handoff lint',
    args: '[file]',
    does: 'what is wrong with a handoff; exit 3 when the gate or a reader could not use it',
    options: [json],
    run: (call) => handoff().then(({ lint }) => lint(call)),
  },
  {
    name: 'dissolve',
    does: 'archives the handoff of this tree for a value that only its text tells; stops the accident, not an adversary',
    raw: true,
    run: (call) => import('./commands/dissolve.ts').then(({ runDissolve }) => runDissolve(call.rest, call.io)),
  },
];

export const agentHandoffCommands = forEveryone;

export const handoffCommands: readonly Command[] = [
  ...forEveryone,
  {
    name: 'handoff install',
    does: 'writes the gate as a shell script into this repository, with its tests, for those who do not run the town',
    options: [
      ['--replace', 'also over scripts of that name with other content'],
      ['--dry-run', 'only tell what would be written'],
      json,
    ],
    run: (call) => handoff().then(({ install }) => install(call)),
  },
  {
    name: 'handoff cycle',
    args: '<agent>',
    does: "ends an agent's session and starts a fresh one over its handoff; writes a minimal one if none is armed",
    options: [...words, json],
    run: (call) => handoff().then(({ cycle }) => cycle(call)),
  },
];
