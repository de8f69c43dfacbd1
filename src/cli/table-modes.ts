/** Rows about execution modes, for people and for agents. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;
const mode = () => import('./commands/mode.ts');

const verdicts: readonly Command[] = [
  {
    name: 'mode approve',
    args: '<request> [words...]',
    does: 'a reviewer’s word: the work is right',
    options: [json],
    run: (call) => mode().then(({ approve }) => approve(call)),
  },
  {
    name: 'mode reject',
    args: '<request> <words...>',
    does: 'a reviewer’s word: what is wrong',
    options: [json],
    run: (call) => mode().then(({ reject }) => reject(call)),
  },
];

export const modeCommands: readonly Command[] = [
  {
    name: 'mode start',
    args: '<mode> <agent> [goal...]',
    does: 'ralph, autopilot, ultrapilot, swarm, pipeline, ultraqa or ultrawork for an agent’s session',
    options: [
      ['--max <n>', 'continuations at most'],
      ['--stages <texts>', 'pipeline: its stages, with | between them'],
      ['--command <command>', 'ultraqa: the command whose success is the goal'],
      ['--reviewer <agent>', 'ralph, autopilot: who reviews; a human, if nobody is named'],
      ['--workers <n>', 'ultrawork, swarm, ultrapilot: agents at most'],
      ['--plan <file>', 'ultrapilot: its plan; the agent writes one, if none is given'],
      json,
    ],
    run: (call) => mode().then(({ start }) => start(call)),
  },
  {
    name: 'mode status',
    args: '[agent]',
    does: 'the modes that run, and those that ended',
    options: [json],
    run: (call) => mode().then(({ status }) => status(call)),
  },
  {
    name: 'mode cancel',
    args: '[agent] [mode]',
    does: 'ends modes at once, with all that are linked to them; of all agents if none is named',
    options: [['--mode <mode>', 'only this one'], ['--session <session>', 'only of this session'], json],
    run: (call) => mode().then(({ cancel }) => cancel(call)),
  },
  ...verdicts,
];

export const agentModeCommands: readonly Command[] = [
  {
    name: 'mode',
    does: 'the mode you are in',
    options: [json],
    run: (call) => mode().then(({ ownStatus }) => ownStatus(call)),
  },
  ...verdicts,
  {
    name: 'phase done',
    args: '[output...]',
    does: 'the phase or stage you are in is finished; with what the next one needs',
    options: [['--output <file>', 'the output is in this file'], json],
    run: (call) => mode().then(({ finishPhase }) => finishPhase(call)),
  },
];
