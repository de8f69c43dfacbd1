/** Rows that look: status and the checks. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;

export const lookCommands: readonly Command[] = [
  {
    name: 'status',
    does: 'every agent with its state, hook and last activity',
    options: [['-w, --watch', 'again whenever it changes'], json],
    run: (call) => import('./commands/status.ts').then(({ status }) => status(call)),
  },
  {
    name: 'doctor',
    does: 'checks machine, tmux, git, runtimes and state',
    options: [['--fix', 'repairs what can be repaired safely'], json],
    run: (call) => import('./commands/doctor.ts').then(({ doctor }) => doctor(call)),
  },
  {
    name: 'log',
    args: '[agent]',
    does: 'what happened, oldest first',
    options: [['-n, --lines <count>', '50 if not given'], ['-f, --follow', 'goes on with what happens next'], json],
    run: (call) => import('./commands/log.ts').then(({ log }) => log(call)),
  },
  {
    name: 'sim',
    args: '<agent> <behaviour>',
    does: 'tells a simulated agent how to behave: stall, ask, limit, dialog, swallow-enter, slow-start, crash, recover',
    options: [
      ['--seconds <count>', 'of a limit or a slow start'],
      ['--count <count>', 'lines after which a stall ends; submit keys that are swallowed'],
      ['--text <question>', 'what it asks'],
      json,
    ],
    run: (call) => import('./commands/sim.ts').then(({ sim }) => sim(call)),
  },
];
