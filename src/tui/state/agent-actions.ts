/** What can be done to the selected or the marked agents. */
import type { AgentView } from '../../domain/view.ts';
import type { Action } from './action.ts';
import { emptyComposer } from './composer.ts';
import {
  ask,
  type Context,
  change,
  isRunning,
  nameAgents,
  openDialog,
  perform,
  selectedAgent,
  targetAgents,
  workOf,
} from './context.ts';
import type { AgentVerb, Effect } from './effects.ts';

const textLimit = 2000;
const defaultNudge = 'Look at your hook and go on with the work on it.';

const toAgents = (verb: AgentVerb, agents: readonly AgentView[], text: string | null = null): Effect => ({
  kind: 'agents',
  verb,
  agents: agents.map((agent) => agent.agent_id),
  text,
});

/** Why none of the targets will do; `reason` answers null for one that will. */
function whyNone(context: Context, reason: (agent: AgentView) => string | null): string | null {
  const targets = targetAgents(context);
  if (targets.length === 0) return 'no agent is selected';
  const reasons = targets.map(reason);
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

const needsServer = ({ view }: Context): string | null =>
  view.town.server === 'gone' ? 'the tmux server is gone' : null;

const whyNotRunning = (context: Context): string | null =>
  needsServer(context) ??
  whyNone(context, (agent) => (isRunning(agent) ? null : `${agent.agent_id} is ${agent.state}; x starts it`));

const whyNoPane = (context: Context): string | null => {
  const agent = selectedAgent(context);
  if (agent === null) return 'no agent is selected';
  return needsServer(context) ?? (agent.pane_id === null ? `${agent.agent_id} has no pane; x starts it` : null);
};

const hasWork = (agent: AgentView): boolean => agent.hook.status === 'active' || agent.state === 'working';

const base = { group: 'agent', screens: ['agents'], destructive: false } as const;

export const agentActions: readonly Action[] = [
  {
    ...base,
    name: 'sling',
    keys: ['s'],
    label: 'sling',
    does: 'Put a ready bead, or a new one, on an agent’s hook and start it.',
    footer: 1,
    whyNot: ({ view }) => (view.agents.length === 0 ? 'the town has no agents; add some to gastown.yaml' : null),
    run(context) {
      const agent = selectedAgent(context);
      const agentId = agent?.hook.status === 'empty' ? agent.agent_id : null;
      return openDialog(context, { kind: 'sling-bead', input: emptyComposer(200), index: 0, agent: agentId });
    },
  },
  {
    ...base,
    name: 'clear',
    keys: ['c'],
    label: 'clear',
    does: 'Clear a completed hook: its result is verified. Other hooks ask for a reason.',
    destructive: true,
    footer: 4,
    whyNot: (context) =>
      whyNone(context, ({ hook, agent_id }) => {
        if (hook.status === 'corrupt') return `the hook file of ${agent_id} is corrupt: mend or remove it`;
        return hook.status === 'empty' ? `the hook of ${agent_id} is empty` : null;
      }),
    run(context) {
      const held = targetAgents(context).filter(({ hook }) => hook.status !== 'empty' && hook.status !== 'corrupt');
      const unfinished = held.filter(({ hook }) => hook.status !== 'completed');
      if (unfinished.length === 0) return perform(context, toAgents('clear', held));
      const work = unfinished.map((agent) => workOf(agent)?.bead_id ?? '').join(', ');
      return openDialog(context, {
        kind: 'text',
        title: `Take ${work} away from ${nameAgents(unfinished)}? Why:`,
        hint: 'the bead goes back to open; the reason is recorded',
        fallback: null,
        input: emptyComposer(textLimit),
        effect: toAgents('clear', held, ''),
      });
    },
  },
  {
    ...base,
    name: 'nudge',
    keys: ['n'],
    label: 'nudge',
    does: 'Type a line of your own into the agent.',
    footer: 2,
    whyNot: whyNotRunning,
    run(context) {
      const targets = targetAgents(context).filter(isRunning);
      return openDialog(context, {
        kind: 'text',
        title: `Nudge ${nameAgents(targets)}:`,
        hint: `empty: ${defaultNudge}`,
        fallback: defaultNudge,
        input: emptyComposer(textLimit),
        effect: toAgents('nudge', targets, ''),
      });
    },
  },
  {
    ...base,
    name: 'restart',
    keys: ['r'],
    label: 'restart',
    does: 'Start the agent’s program again; branch, worktree and hook stay. Asks when it has work.',
    destructive: true,
    footer: 7,
    whyNot: (context) =>
      needsServer(context) ??
      whyNone(context, ({ state, agent_id }) =>
        state === 'stopped' ? `${agent_id} is stopped on purpose; x starts it` : null,
      ),
    run(context) {
      const targets = targetAgents(context).filter(({ state }) => state !== 'stopped');
      const busy = targets.filter(hasWork);
      if (busy.length === 0) return perform(context, toAgents('restart', targets));
      return ask(
        context,
        `Restart ${nameAgents(targets)}?`,
        `${nameAgents(busy)} has work in hand; branch, worktree and hook stay`,
        toAgents('restart', targets),
      );
    },
  },
  {
    ...base,
    name: 'focus',
    keys: ['enter'],
    label: 'focus',
    does: 'Go to the agent’s pane; M-0 comes back.',
    footer: 3,
    whyNot: whyNoPane,
    run: (context) =>
      perform(
        context,
        toAgents(
          'focus',
          [selectedAgent(context)].filter((agent) => agent !== null),
        ),
      ),
  },
  {
    ...base,
    name: 'peek',
    keys: ['p'],
    label: 'peek',
    does: 'Watch the agent’s pane here, live; again or esc closes it.',
    footer: 5,
    whyNot: (context) => (context.ui.peeking ? null : whyNoPane(context)),
    run: (context) => change(context, { peeking: !context.ui.peeking, peeked: null, message: null }),
  },
  {
    ...base,
    name: 'interrupt',
    keys: ['i'],
    label: 'interrupt',
    does: 'Send the agent its interrupt key.',
    footer: 13,
    whyNot: whyNotRunning,
    run: (context) => perform(context, toAgents('interrupt', targetAgents(context).filter(isRunning))),
  },
  {
    ...base,
    name: 'stop or start',
    keys: ['x'],
    label: 'stop/start',
    does: 'Stop a running agent (asks), or start a stopped one.',
    destructive: true,
    footer: 8,
    whyNot: (context) => whyNone(context, () => null) ?? needsServer(context),
    run(context) {
      const targets = targetAgents(context);
      const running = targets.filter(isRunning);
      if (running.length === 0) return perform(context, toAgents('start', targets));
      const busy = running.filter(hasWork).length;
      return ask(
        context,
        `Stop ${nameAgents(running)}?`,
        busy > 0 ? `${busy} has work in hand; hook and worktree stay` : 'hook and worktree stay',
        toAgents('stop', running),
      );
    },
  },
  {
    ...base,
    name: 'pause or resume',
    keys: ['z'],
    label: 'pause',
    does: 'Open a gate: no nudges and restarts for the agent until it is resumed.',
    footer: 12,
    whyNot: (context) => whyNone(context, () => null),
    run(context) {
      const targets = targetAgents(context);
      const paused = targets.filter(({ state }) => state === 'paused');
      return paused.length > 0
        ? perform(context, toAgents('resume', paused))
        : perform(context, toAgents('pause', targets, 'paused by the operator'));
    },
  },
  {
    ...base,
    name: 'mode',
    keys: ['a'],
    label: 'mode',
    does: 'Start an execution mode in the agent’s session, or cancel the one that runs (asks).',
    destructive: true,
    footer: 15,
    whyNot: whyNotRunning,
    run(context) {
      const targets = targetAgents(context).filter(isRunning);
      const inMode = targets.filter(({ modes }) => modes.some(({ active }) => active));
      if (inMode.length > 0) {
        const names = inMode.flatMap(({ modes }) => modes.filter(({ active }) => active).map(({ mode }) => mode));
        return ask(
          context,
          `Cancel ${[...new Set(names)].join(', ')} of ${nameAgents(inMode)}?`,
          'the agent’s turn goes on; its next stop is let go',
          toAgents('cancel mode', inMode),
        );
      }
      return openDialog(context, {
        kind: 'text',
        title: `Mode for ${nameAgents(targets)}:`,
        hint: 'ralph, autopilot, pipeline, ultraqa, ultrawork, swarm or ultrapilot; then the goal',
        fallback: null,
        input: emptyComposer(textLimit),
        effect: toAgents('mode', targets, ''),
      });
    },
  },
  {
    ...base,
    name: 'mark',
    keys: ['space'],
    label: 'mark',
    does: 'Mark the agent; nudge, restart, stop, clear, pause and interrupt then act on all marked ones.',
    footer: 11,
    whyNot: (context) => (selectedAgent(context) === null ? 'no agent is selected' : null),
    run(context) {
      const { ui, rows } = context;
      if (ui.selected === null) return change(context, {});
      const marks = new Set(ui.marks);
      if (!marks.delete(ui.selected)) marks.add(ui.selected);
      const index = rows.findIndex((agent) => agent.agent_id === ui.selected);
      return change(context, { marks, selected: rows[index + 1]?.agent_id ?? ui.selected });
    },
  },
  {
    ...base,
    name: 'reset',
    keys: [],
    label: 'reset',
    does: 'Set the agent’s nudge and restart counters and its back-off to zero.',
    footer: null,
    whyNot: (context) => whyNone(context, () => null),
    run: (context) => perform(context, toAgents('reset', targetAgents(context))),
  },
];
