/** Rows that set up the runtimes' own hook systems. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;

export const eventCommands: readonly Command[] = [
  {
    name: 'events install',
    args: '[runtime]',
    does: "adds our entries to a runtime's own settings, beside what is there",
    options: [json],
    run: (call) => import('./commands/events.ts').then(({ install }) => install(call)),
  },
  {
    name: 'events verify',
    args: '[runtime]',
    does: 'shows what is installed and fires a canary through it',
    options: [json],
    run: (call) => import('./commands/events.ts').then(({ verify }) => verify(call)),
  },
  {
    name: 'events uninstall',
    args: '[runtime]',
    does: 'takes our entries out again',
    options: [json],
    run: (call) => import('./commands/events.ts').then(({ uninstall }) => uninstall(call)),
  },
];
