/** Rows about ultrapilots, for people and for agents. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;
const ultrapilot = () => import('./commands/ultrapilot.ts');

export const ultrapilotCommands: readonly Command[] = [
  {
    name: 'ultrapilot',
    does: 'the plan of the parallel work, its parts, and what was joined',
    options: [json],
    run: (call) => ultrapilot().then(({ show }) => show(call)),
  },
  {
    name: 'ultrapilot plan',
    args: '[file]',
    does: 'its plan as it is written; with a file ("-" is standard input), another in its place',
    options: [json],
    run: (call) => ultrapilot().then(({ plan }) => plan(call)),
  },
  {
    name: 'ultrapilot edit',
    does: 'its plan in your editor, before it begins',
    options: [json],
    run: (call) => ultrapilot().then(({ edit }) => edit(call)),
  },
  {
    name: 'ultrapilot start',
    does: 'your word on the plan: every worker gets its tree, its files and its part',
    options: [json],
    run: (call) => ultrapilot().then(({ start }) => start(call)),
  },
  {
    name: 'ultrapilot integrate',
    does: 'joins the parts on a branch of their own, or tries again what was held back',
    options: [
      ['--accept <agents>', 'take their branches as they are, with files of others'],
      ['--without <agents>', 'leave their parts out'],
      json,
    ],
    run: (call) => ultrapilot().then(({ integrate }) => integrate(call)),
  },
  {
    name: 'ultrapilot cancel',
    does: 'ends it at once; branches, trees and hooks stay as they are',
    options: [json],
    run: (call) => ultrapilot().then(({ cancel }) => cancel(call)),
  },
];

export const agentUltrapilotCommands: readonly Command[] = [
  {
    name: 'ultrapilot',
    does: 'your part of the parallel work: your files, and whose the others are',
    options: [json],
    run: (call) => ultrapilot().then(({ own }) => own(call)),
  },
  {
    name: 'ultrapilot plan',
    args: '[file]',
    does: 'you coordinate: hands in the plan, which a human then reads',
    options: [json],
    run: (call) => ultrapilot().then(({ handIn }) => handIn(call)),
  },
  {
    name: 'ultrapilot may',
    args: '<files...>',
    does: 'whether you may write these files; if not, whose they are',
    options: [json],
    run: (call) => ultrapilot().then(({ may }) => may(call)),
  },
];
