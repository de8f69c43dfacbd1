/** Rows about the patrol and what the human decides: gates, the deacon, escalations, mail. */
import type { Command } from './command.ts';

const json = ['--json', 'print JSON'] as const;
const gates = () => import('./commands/gates.ts');
const deacon = () => import('./commands/deacon.ts');
const escalations = () => import('./commands/escalations.ts');
const learn = () => import('./commands/learn.ts');
const mail = () => import('./commands/mail.ts');

export const patrolCommands: readonly Command[] = [
  {
    name: 'pause',
    args: '[agent]',
    does: 'no nudge and no restart, of an agent or of the whole town, until resume',
    options: [['--reason <reason>', 'why'], json],
    run: (call) => gates().then(({ pauseTarget }) => pauseTarget(call)),
  },
  {
    name: 'resume',
    args: '[agent]',
    does: 'ends a pause',
    options: [json],
    run: (call) => gates().then(({ resumeTarget }) => resumeTarget(call)),
  },
  {
    name: 'estop',
    args: '[words...]',
    does: 'emergency stop: the processes of every agent stand still',
    options: [json],
    run: (call) => gates().then(({ stopAll }) => stopAll(call)),
  },
  {
    name: 'thaw',
    does: 'ends the emergency stop',
    options: [json],
    run: (call) => gates().then(({ thawAll }) => thawAll(call)),
  },
  {
    name: 'reset',
    args: '<agent>',
    does: 'counters and back-off of an agent back to zero',
    options: [json],
    run: (call) => gates().then(({ reset }) => reset(call)),
  },
  {
    name: 'deacon',
    does: 'the patrol, in this terminal; up starts it in a window of its own',
    options: [['--once', 'one round']],
    run: (call) => deacon().then(({ patrol }) => patrol(call)),
  },
  {
    name: 'deacon start',
    does: 'starts it in its window',
    options: [json],
    run: (call) => deacon().then(({ start }) => start(call)),
  },
  {
    name: 'deacon stop',
    does: 'ends it; the agents go on',
    options: [json],
    run: (call) => deacon().then(({ stop }) => stop(call)),
  },
  {
    name: 'escalations',
    does: 'what waits for a human',
    options: [['--all', 'what was acknowledged as well'], json],
    run: (call) => escalations().then(({ list }) => list(call)),
  },
  {
    name: 'escalations ack',
    args: '<escalation>',
    does: 'you have seen it',
    options: [json],
    run: (call) => escalations().then(({ ack }) => ack(call)),
  },
  {
    name: 'escalations answer',
    args: '<escalation> <answer> [words...]',
    does: 'reset (counters), reassign [agent], clarify <words>, block <reason> or cancel <reason>; then it is acknowledged',
    options: [json],
    run: (call) => escalations().then(({ answer }) => answer(call)),
  },
  {
    name: 'mail',
    args: '[mailbox]',
    does: 'what came for you, or lies in one mailbox, newest first',
    options: [['--unread', 'only what nobody has read'], json],
    run: (call) => mail().then(({ list }) => list(call)),
  },
  {
    name: 'mail read',
    args: '<message>',
    does: 'one message, whole',
    options: [json],
    run: (call) => mail().then(({ read }) => read(call)),
  },
  {
    name: 'mail send',
    args: '<to> <words...>',
    does: 'writes to an agent',
    options: [json],
    run: (call) => mail().then(({ send }) => send(call)),
  },
  {
    name: 'metrics',
    does: 'how fast agents begin, what nudges come to, how often they stall',
    options: [['--prometheus', 'as Prometheus text'], json],
    run: (call) => import('./commands/metrics.ts').then(({ metrics }) => metrics(call)),
  },
  {
    name: 'learn',
    does: 'what the measurements suggest to change',
    options: [['--all', 'what was decided as well'], json],
    run: (call) => learn().then(({ list }) => list(call)),
  },
  {
    name: 'learn accept',
    args: '<proposal>',
    does: 'writes it into gastown.yaml',
    options: [json],
    run: (call) => learn().then(({ accept }) => accept(call)),
  },
  {
    name: 'learn reject',
    args: '<proposal>',
    does: 'it will not come again',
    options: [json],
    run: (call) => learn().then(({ reject }) => reject(call)),
  },
];
