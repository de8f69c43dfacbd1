/** Rows about work: beads, and putting them on hooks. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;
const bead = () => import('./commands/bead.ts');
const dispatch = () => import('./commands/sling.ts');

export const workCommands: readonly Command[] = [
  {
    name: 'bead add',
    args: '<title...>',
    does: 'adds a work item',
    options: [
      ['-d, --description <text>', 'what exactly is to be done'],
      ['-p, --priority <P1|P2|P3>', 'P2 if not given'],
      ['-n, --needs <beads>', 'beads to be done first, with commas between'],
      ['--id <bead>', 'its id, instead of a made-up one'],
      json,
    ],
    run: (call) => bead().then(({ add }) => add(call)),
  },
  {
    name: 'bead list',
    does: 'all work items, oldest first',
    options: [['-s, --status <status>', 'only those in this status'], json],
    run: (call) => bead().then(({ list }) => list(call)),
  },
  {
    name: 'bead show',
    args: '<bead>',
    does: 'one work item, whole',
    options: [json],
    run: (call) => bead().then(({ show }) => show(call)),
  },
  {
    name: 'bead ready',
    does: 'open work items whose needs are done, most urgent first',
    options: [json],
    run: (call) => bead().then(({ ready }) => ready(call)),
  },
  {
    name: 'bead reopen',
    args: '<bead>',
    does: 'makes it open again',
    options: [json],
    run: (call) => bead().then(({ reopen }) => reopen(call)),
  },
  {
    name: 'bead close',
    args: '<bead>',
    does: 'makes it done, by hand',
    options: [json],
    run: (call) => bead().then(({ close }) => close(call)),
  },
  {
    name: 'bead import',
    args: '[file]',
    does: 'adds those of a file: JSON lines, or a Markdown task list; "-" is standard input',
    options: [json],
    run: (call) => bead().then(({ importFile }) => importFile(call)),
  },
  {
    name: 'sling',
    args: '<bead-or-title> [agent]',
    does: 'puts work on a hook and starts or tells the agent; without an agent picks an idle one',
    options: [['--wait', 'exit 3 unless the agent was told with proof'], json],
    run: (call) => dispatch().then(({ slingWork }) => slingWork(call)),
  },
  {
    name: 'clear',
    args: '<agent>',
    does: 'empties a completed hook: the work is verified',
    options: [
      ['--force', 'also a pending or active one: the work is taken away and its bead is open again'],
      ['--reason <reason>', 'why, needed with --force'],
      json,
    ],
    run: (call) => dispatch().then(({ clear }) => clear(call)),
  },
];
