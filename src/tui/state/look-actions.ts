/** Moving, sorting, filtering, and the other screens. Nothing here changes the town. */
import { type Action, always } from './action.ts';
import { emptyComposer } from './composer.ts';
import { type Context, change, openDialog, type Step } from './context.ts';
import { gateRows } from './gate-actions.ts';
import { sortOrders } from './order.ts';
import type { ScreenName, UiState } from './ui-state.ts';

/** Rows that page-up and page-down move by. */
const pageRows = 10;

const listLength = ({ view, ui, rows }: Context): number => {
  if (ui.screen === 'agents') return rows.length;
  if (ui.screen === 'beads') return view.beads.length;
  if (ui.screen === 'mail') return ui.mail?.length ?? 0;
  if (ui.screen === 'learning') return ui.measures?.proposals.length ?? 0;
  if (ui.screen === 'events') return view.journal.length;
  if (ui.screen === 'gate') return gateRows(view).length;
  if (ui.screen === 'approvals') return view.approvals.length;
  if (ui.screen === 'handlers') return view.handlers.length;
  return 1000;
};

function moveBy(context: Context, step: number): Step {
  const { ui, rows } = context;
  const last = Math.max(0, listLength(context) - 1);
  const bound = (index: number): number => Math.min(last, Math.max(0, index));
  if (ui.screen === 'agents') {
    const index = rows.findIndex((agent) => agent.agent_id === ui.selected);
    return change(context, { selected: rows[bound(Math.max(0, index) + step)]?.agent_id ?? null, message: null });
  }
  const cursors = { ...ui.cursors, [ui.screen]: bound((ui.cursors[ui.screen] ?? 0) + step) };
  return change(context, { cursors, openMail: null, message: null });
}

const move = (name: string, keys: readonly string[], does: string, step: number): Action => ({
  name,
  keys,
  label: name,
  does,
  group: 'move',
  screens: 'all',
  destructive: false,
  footer: null,
  whyNot: always,
  run: (context) => moveBy(context, step),
});

export const moveActions: readonly Action[] = [
  move('down', ['j', 'down', 'ctrl-n'], 'Next line.', 1),
  move('up', ['k', 'up', 'ctrl-p'], 'Line before.', -1),
  move('page down', ['pagedown', 'ctrl-d'], 'Ten lines on.', pageRows),
  move('page up', ['pageup', 'ctrl-u'], 'Ten lines back.', -pageRows),
  move('top', ['home'], 'First line.', -Number.MAX_SAFE_INTEGER),
  move('bottom', ['end'], 'Last line.', Number.MAX_SAFE_INTEGER),
];

const base = { group: 'look', destructive: false, whyNot: always } as const;

const screenAction = (screen: ScreenName, key: string, footer: number, does: string): Action => ({
  ...base,
  name: screen,
  keys: [key],
  label: screen,
  does,
  screens: 'all',
  footer,
  run(context) {
    const there = context.ui.screen === screen;
    const next = there ? 'agents' : screen;
    const ui: UiState = { ...context.ui, screen: next, peeking: false, message: null, opening: null };
    const loads = { mail: 'load-mail', metrics: 'load-measures', learning: 'load-measures' } as const;
    const load = screen in loads ? loads[screen as keyof typeof loads] : null;
    return { ui, effects: load !== null && !there ? [{ kind: load }] : [] };
  },
});

export const lookActions: readonly Action[] = [
  {
    ...base,
    name: 'filter',
    keys: ['/'],
    label: 'filter',
    does: 'Show only agents that match all words: name, state, bead, runtime; !word leaves out.',
    screens: ['agents'],
    footer: 6,
    run: (context) =>
      openDialog(context, {
        kind: 'filter',
        before: context.ui.filter,
        input: emptyComposer(80, context.ui.filter),
      }),
  },
  {
    ...base,
    name: 'sort',
    keys: ['o'],
    label: 'sort',
    does: `Next order of the table: ${sortOrders.join(', ')}.`,
    screens: ['agents'],
    footer: 14,
    run(context) {
      const order = sortOrders[(sortOrders.indexOf(context.ui.order) + 1) % sortOrders.length] ?? 'attention';
      return change(context, { order, message: null });
    },
  },
  screenAction('beads', 'b', 15, 'The work items, ready ones first.'),
  screenAction('mail', 'm', 16, 'Mail to the operator.'),
  screenAction('events', 'e', 17, 'The journal: everything that happened.'),
  screenAction('metrics', 'M', 18, 'The metrics of supervision, and counts of states, work and deliveries.'),
  screenAction('learning', 'L', 22, 'What the metrics suggest to change, with the evidence; you accept or reject.'),
  screenAction(
    'gate',
    'g',
    19,
    'The handoff gate: which trees hold an unread handoff, and who wishes to dissolve one.',
  ),
  screenAction('approvals', 'A', 20, 'Tools and plans that wait for your word.'),
  screenAction('handlers', 'H', 21, 'The event handlers: which are on, what each does, which runtimes reach it.'),
  {
    ...base,
    name: 'palette',
    keys: [':'],
    label: 'palette',
    does: 'Find any action or agent by a few letters.',
    screens: 'all',
    footer: 9,
    run: (context) => openDialog(context, { kind: 'palette', input: emptyComposer(80), index: 0 }),
  },
  screenAction('help', '?', 10, 'All keys.'),
  {
    ...base,
    name: 'back',
    keys: ['escape'],
    label: 'back',
    does: 'Close what is open: preview, screen, filter, marks.',
    screens: 'all',
    footer: null,
    run(context) {
      const { ui } = context;
      if (ui.openMail !== null) return change(context, { openMail: null });
      if (ui.peeking) return change(context, { peeking: false, peeked: null });
      if (ui.screen !== 'agents') return change(context, { screen: 'agents', message: null, opening: null });
      if (ui.message !== null) return change(context, { message: null });
      if (ui.filter !== '') return change(context, { filter: '' });
      return change(context, { marks: new Set() });
    },
  },
];
