/** Rows about the event handlers, and about what some of them keep: notes and skills. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;
const triggers = ['--triggers <words>', 'words of a prompt that bring it up, parted by commas'] as const;
const handlers = () => import('./commands/handlers.ts');
const skill = () => import('./commands/skill.ts');

export const handlerCommands: readonly Command[] = [
  {
    name: 'handlers',
    does: 'the event handlers: which are on, what drives them, which runtimes reach them',
    options: [json],
    run: (call) => handlers().then(({ list }) => list(call)),
  },
  {
    name: 'handlers list',
    does: 'the same',
    options: [json],
    run: (call) => handlers().then(({ list }) => list(call)),
  },
  {
    name: 'handlers explain',
    args: '<name>',
    does: 'what one handler does here, and what the town relies on in each runtime',
    options: [json],
    run: (call) => handlers().then(({ explain }) => explain(call)),
  },
  {
    name: 'handlers test',
    args: '[name]',
    does: 'fires an event that a handler answers, and one that it must leave alone, at the installed command, in a folder apart; all handlers without a name',
    options: [json],
    run: (call) => handlers().then(({ test }) => test(call)),
  },
  {
    name: 'handlers trust',
    args: '<file>',
    does: 'lets a file of .chipset/handlers run on events, exactly as it is now; read it first',
    options: [json],
    run: (call) => handlers().then(({ trust }) => trust(call)),
  },
  {
    name: 'handlers distrust',
    args: '<file>',
    does: 'takes that back',
    options: [json],
    run: (call) => handlers().then(({ distrust }) => distrust(call)),
  },
  {
    name: 'skill',
    does: 'learned skills, and what was noticed and waits for your word',
    options: [json],
    run: (call) => skill().then(({ list }) => list(call)),
  },
  {
    name: 'skill list',
    does: 'the same',
    options: [json],
    run: (call) => skill().then(({ list }) => list(call)),
  },
  {
    name: 'skill add',
    args: '<name> <words...>',
    does: 'writes a skill',
    options: [triggers, json],
    run: (call) => skill().then(({ add }) => add(call)),
  },
  {
    name: 'skill accept',
    args: '<proposal> <name>',
    does: 'makes a skill of what was noticed',
    options: [triggers, json],
    run: (call) => skill().then(({ accept }) => accept(call)),
  },
  {
    name: 'skill reject',
    args: '<proposal>',
    does: 'never proposes it again',
    options: [json],
    run: (call) => skill().then(({ reject }) => reject(call)),
  },
  {
    name: 'skill remove',
    args: '<name>',
    does: 'removes a skill',
    options: [json],
    run: (call) => skill().then(({ remove }) => remove(call)),
  },
];

export const agentHandlerCommands: readonly Command[] = [
  {
    name: 'notepad',
    args: '[words...]',
    does: 'your notes, which outlive a compaction; with words, one more',
    options: [['--priority', 'never forgotten'], ['--drop <number>', 'forget this one'], json],
    run: (call) => import('./commands/notepad.ts').then(({ notepad }) => notepad(call)),
  },
];
