/** What an agent can call in its pane: `gt`. */
import type { Command } from './command.ts';
import type { Face } from './program.ts';
import { agentHandlerCommands } from './table-handlers.ts';
import { agentHandoffCommands } from './table-handoff.ts';
import { agentModeCommands } from './table-modes.ts';
import { agentTaskCommands } from './table-tasks.ts';
import { agentUltrapilotCommands } from './table-ultrapilot.ts';
import { version } from './version.ts';

const json = ['--json', 'print JSON'] as const;
const hookCommands = () => import('./commands/hook.ts');
const mail = () => import('./commands/mail.ts');
const words = () => import('./commands/agent-words.ts');

const declarations: readonly Command[] = (
  [
    ['park', '[words...]', 'you wait for something: what'],
    ['ask', '<words...>', 'a human must decide: the question'],
    ['propose', '<words...>', 'you propose a next step, like "ready to merge"'],
    ['idle', '[words...]', 'you have nothing to do'],
  ] as const
).map(([name, args, does]) => ({
  name,
  args,
  does,
  options: [json],
  run: (call) => import('./commands/declare.ts').then(({ declare }) => declare(call, name)),
}));

export const face: Face = {
  program: 'gt',
  does: 'What an agent of a gastown town calls: look at the hook, do the work on it, finish it.',
  version,
  bare: null,
  commands: [
    {
      name: 'prime',
      does: 'who you are, what is on your hook, what to do now, how to finish',
      options: [['--source <source>', 'how this session began: startup, resume, clear or compact']],
      run: (call) => import('./commands/prime.ts').then(({ prime }) => prime(call)),
    },
    {
      name: 'hook',
      args: '[start]',
      does: 'your work; with "start" it becomes active',
      options: [json],
      run: (call) => hookCommands().then(({ hook }) => hook(call)),
    },
    {
      name: 'touch',
      does: 'says that you are at work on an active hook',
      options: [json],
      run: (call) => hookCommands().then(({ touch }) => touch(call)),
    },
    {
      name: 'done',
      does: 'the work on your hook is finished, or has failed',
      options: [['--failed <reason>', 'it could not be done: why'], json],
      run: (call) => import('./commands/done.ts').then(({ finish }) => finish(call)),
    },
    {
      name: 'reply',
      args: '<words...>',
      does: 'answers the last nudge, in one line',
      options: [json],
      run: (call) => words().then(({ answer }) => answer(call)),
    },
    {
      name: 'note',
      args: '<words...>',
      does: 'writes a line into the journal of the town',
      options: [json],
      run: (call) => words().then(({ noteDown }) => noteDown(call)),
    },
    {
      name: 'status',
      does: 'what the board shows of you',
      options: [json],
      run: (call) => import('./commands/own-status.ts').then(({ status }) => status(call)),
    },
    {
      name: 'mail',
      does: 'what came for you, newest first',
      options: [['--unread', 'only what you have not read'], json],
      run: (call) => mail().then(({ listOwn }) => listOwn(call)),
    },
    {
      name: 'mail read',
      args: '<message>',
      does: 'one message, whole',
      options: [json],
      run: (call) => mail().then(({ readOwn }) => readOwn(call)),
    },
    {
      name: 'mail send',
      args: '<to> <words...>',
      does: 'writes to another agent, the mayor or the operator',
      options: [json],
      run: (call) => mail().then(({ sendOwn }) => sendOwn(call)),
    },
    ...declarations,
    ...agentHandoffCommands,
    ...agentModeCommands,
    ...agentTaskCommands,
    ...agentUltrapilotCommands,
    ...agentHandlerCommands,
  ],
};
