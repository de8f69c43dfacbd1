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
];
