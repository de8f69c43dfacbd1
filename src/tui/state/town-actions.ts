/** What can be done to the whole town. */
import { type Action, always } from './action.ts';
import { ask, type Context, change, isRunning, perform } from './context.ts';

/** The gate of an emergency stop shows as paused agents whose detail names it. */
const isEstopped = ({ view }: Context): boolean =>
  view.agents.some(({ state, detail }) => state === 'paused' && /estop|emergency/i.test(detail));

const openEscalations = ({ view }: Context) => view.escalations.filter((each) => each.acknowledged_at === null);

const base = { group: 'town', screens: 'all', destructive: false, footer: null, whyNot: always } as const;

export const townActions: readonly Action[] = [
  {
    ...base,
    name: 'acknowledge',
    keys: [],
    label: 'acknowledge',
    does: 'Take note of the selected agent’s escalation, or of the oldest one.',
    whyNot: (context) => (openEscalations(context).length === 0 ? 'no escalation is open' : null),
    run(context) {
      const open = openEscalations(context);
      const escalation = open.find((each) => each.agent_id === context.ui.selected) ?? open[0];
      return escalation === undefined
        ? change(context, {})
        : perform(context, { kind: 'acknowledge', escalationId: escalation.escalation_id });
    },
  },
  {
    ...base,
    name: 'pause town',
    keys: [],
    label: 'pause town',
    does: 'Open the gate of the whole town: no nudges and restarts for anyone.',
    run: (context) => perform(context, { kind: 'town', verb: 'pause', text: 'paused by the operator' }),
  },
  {
    ...base,
    name: 'resume town',
    keys: [],
    label: 'resume town',
    does: 'Close the gate of the whole town.',
    run: (context) => perform(context, { kind: 'town', verb: 'resume', text: '' }),
  },
  {
    ...base,
    name: 'emergency stop',
    keys: ['!'],
    label: 'stop all',
    does: 'Interrupt every agent at once and hold the town (asks); again thaws it.',
    destructive: true,
    run(context) {
      const { name } = context.view.town;
      if (isEstopped(context)) {
        return ask(context, `Thaw ${name}?`, 'agents go on where they stopped', {
          kind: 'town',
          verb: 'thaw',
          text: '',
        });
      }
      const running = context.view.agents.filter(isRunning).length;
      return ask(context, `Emergency stop of ${name}?`, `${running} running agents are halted until thawed`, {
        kind: 'town',
        verb: 'estop',
        text: 'emergency stop by the operator',
      });
    },
  },
  {
    ...base,
    name: 'thaw',
    keys: [],
    label: 'thaw',
    does: 'End the emergency stop.',
    run: (context) => perform(context, { kind: 'town', verb: 'thaw', text: '' }),
  },
  {
    ...base,
    name: 'quit',
    keys: ['q'],
    label: 'quit',
    does: 'Leave the town; the agents and this pane go on.',
    footer: 20,
    run: (context) => perform(context, { kind: 'town', verb: 'detach', text: '' }),
  },
  {
    ...base,
    name: 'down',
    keys: ['Q'],
    label: 'down',
    does: 'End the town: stop all agents, keep all state and worktrees (asks).',
    destructive: true,
    run(context) {
      const running = context.view.agents.filter(isRunning);
      const busy = running.filter(({ hook }) => hook.status === 'active').length;
      return ask(
        context,
        `End the town ${context.view.town.name}?`,
        `${running.length} agents stop, ${busy} with work in hand; state, hooks and worktrees stay`,
        { kind: 'town', verb: 'down', text: '' },
      );
    },
  },
];
