/** Rows about the town's processes: bring it up and down, draw it, act on one agent. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;
const act = () => import('./commands/act.ts');

export const runCommands: readonly Command[] = [
  {
    name: 'init',
    does: 'writes a commented gastown.yaml for the agent programs it finds, and git-ignores .chipset/',
    options: [json],
    run: (call) => import('./commands/init.ts').then(({ init }) => init(call)),
  },
  {
    name: 'up',
    does: 'starts what is not running, then attaches',
    options: [
      ['--layout <name>', 'how the panes are arranged: default, wide, stacked, windows, swarm, or a file of layouts/'],
      ['--agents <list>', 'these instead of the configured ones: claude:2,codex,gemini'],
      ['--demo', 'six simulated agents, until down'],
      ['--resume', 'after its tmux server died: every session again, three agents at a time'],
      ['--detach', 'does not attach'],
      json,
    ],
    run: (call) => import('./commands/up.ts').then(({ up }) => up(call)),
  },
  {
    name: 'down',
    does: 'stops everything the town owns; keeps all state; lists what survived',
    options: [['--dry-run', 'only says what would be stopped'], json],
    run: (call) => import('./commands/down.ts').then(({ down }) => down(call)),
  },
  {
    name: 'attach',
    does: 'the town in this terminal; what gastown alone does',
    run: (call) => import('./commands/attach.ts').then(({ attach }) => attach(call)),
  },
  {
    name: 'control',
    does: 'the control pane itself, in this terminal',
    run: (call) => import('./commands/control.ts').then(({ control }) => control(call)),
  },
  {
    name: 'nudge',
    args: '<agent> [words...]',
    does: 'types a line into the pane of an agent, when that is safe',
    options: [json],
    run: (call) => act().then(({ nudge }) => nudge(call)),
  },
  {
    name: 'restart',
    args: '<agent>',
    does: 'ends the run of an agent and starts the next, on the same work and tree',
    options: [json],
    run: (call) => act().then(({ restart }) => restart(call)),
  },
  {
    name: 'stop',
    args: '<agent>',
    does: 'stops an agent; nothing starts it again but start',
    options: [
      ['--remove-worktree', 'and removes its worktree, unless something would be lost'],
      ['--discard', 'even so'],
      json,
    ],
    run: (call) => act().then(({ stop }) => stop(call)),
  },
  {
    name: 'start',
    args: '<agent>',
    does: 'starts a stopped agent',
    options: [json],
    run: (call) => act().then(({ start }) => start(call)),
  },
  {
    name: 'peek',
    args: '<agent>',
    does: 'the last lines of the pane of an agent',
    options: [['-n, --lines <count>', '40 if not given'], json],
    run: (call) => act().then(({ peekAt }) => peekAt(call)),
  },
  {
    name: 'focus',
    args: '<agent>',
    does: 'moves the attached terminal to the pane of an agent',
    options: [json],
    run: (call) => act().then(({ focusOn }) => focusOn(call)),
  },
  {
    name: 'interrupt',
    args: '<agent>',
    does: 'sends the key by which the program of an agent is interrupted',
    options: [json],
    run: (call) => act().then(({ interruptAgent }) => interruptAgent(call)),
  },
];
