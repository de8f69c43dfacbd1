/** Rows about the tasks of a swarm, for people and for agents. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;
const task = () => import('./commands/task.ts');
const own = () => import('./commands/own-task.ts');

export const taskCommands: readonly Command[] = [
  {
    name: 'task add',
    args: '<title...>',
    does: 'adds a task for a swarm',
    options: [
      ['-d, --description <text>', 'what exactly is to be done'],
      ['-p, --priority <P1|P2|P3>', 'P2 if not given'],
      json,
    ],
    run: (call) => task().then(({ add }) => add(call)),
  },
  {
    name: 'task list',
    does: 'the tasks, who holds them and for how long',
    options: [['-s, --status <status>', 'only pending, claimed, done or failed ones'], json],
    run: (call) => task().then(({ list }) => list(call)),
  },
  {
    name: 'task show',
    args: '<task>',
    does: 'one task, whole',
    options: [json],
    run: (call) => task().then(({ show }) => show(call)),
  },
  {
    name: 'task import',
    args: '[file]',
    does: 'adds those of a file: JSON lines, or a Markdown task list; "-" is standard input',
    options: [json],
    run: (call) => task().then(({ importFile }) => importFile(call)),
  },
];

export const agentTaskCommands: readonly Command[] = [
  {
    name: 'task',
    does: 'the tasks you hold, with their tokens',
    options: [json],
    run: (call) => own().then(({ listOwn }) => listOwn(call)),
  },
  {
    name: 'task claim',
    args: '[task]',
    does: 'one task that nobody else has: the next, or the one you name',
    options: [json],
    run: (call) => own().then(({ claim }) => claim(call)),
  },
  {
    name: 'task heartbeat',
    args: '<task> <token>',
    does: 'you still work on it: its lease begins anew',
    options: [json],
    run: (call) => own().then(({ heartbeat }) => heartbeat(call)),
  },
  {
    name: 'task done',
    args: '<task> <token> [result...]',
    does: 'it is finished; with what came of it',
    options: [json],
    run: (call) => own().then(({ done }) => done(call)),
  },
  {
    name: 'task fail',
    args: '<task> <token> <why...>',
    does: 'it could not be done: why. Others may try again',
    options: [json],
    run: (call) => own().then(({ fail }) => fail(call)),
  },
  {
    name: 'task release',
    args: '<task> <token>',
    does: 'you give it back',
    options: [json],
    run: (call) => own().then(({ release }) => release(call)),
  },
];
