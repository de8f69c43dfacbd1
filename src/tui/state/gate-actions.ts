/** The gate's list: trees and the agents that wish to dissolve what they hold, and what can be done to the selected line. */
import type { DissolveRequest, TownView } from '../../domain/view.ts';
import type { Action } from './action.ts';
import { type Context, change, perform, type Step } from './context.ts';

export type GateRow =
  | { kind: 'tree'; tree: string; armed: boolean; age_s: number | null }
  | { kind: 'request'; tree: string; request: DissolveRequest };

/** Trees first, then wishes. */
export const gateRows = ({ handoffs, requests }: Pick<TownView, 'handoffs' | 'requests'>): GateRow[] => [
  ...handoffs.map((handoff): GateRow => ({ kind: 'tree', ...handoff })),
  ...requests.map((request): GateRow => ({ kind: 'request', tree: request.tree, request })),
];

const selectedRow = ({ view, ui }: Context): GateRow | undefined => {
  const rows = gateRows(view);
  return rows[Math.min(rows.length - 1, ui.cursors.gate ?? 0)];
};

const selectedRequest = (context: Context): DissolveRequest | null => {
  const row = selectedRow(context);
  return row?.kind === 'request' ? row.request : null;
};

function settle(context: Context, retry: boolean): Step {
  const request = selectedRequest(context);
  return request === null
    ? change(context, {})
    : perform(context, { kind: 'settle-request', agentId: request.agent_id, retry });
}

const base = { group: 'list', screens: ['gate'], destructive: false } as const;
const noRequest = 'the selected line is no agent’s wish';

export const gateActions: readonly Action[] = [
  {
    ...base,
    name: 'read handoff',
    keys: ['enter'],
    label: 'read',
    does: 'Read the handoff of the selected tree, or of the wish; from its last line on it can be dissolved.',
    footer: 1,
    whyNot(context) {
      const row = selectedRow(context);
      if (row === undefined) return 'no tree holds a handoff';
      const isArmed = context.view.handoffs.some(({ tree, armed }) => armed && tree === row.tree);
      return isArmed ? null : 'no handoff is armed in this tree';
    },
    run(context) {
      const row = selectedRow(context);
      if (row === undefined) return change(context, {});
      const ui = { ...context.ui, opening: row.tree, message: null };
      return { ui, effects: [{ kind: 'read-handoff', tree: row.tree }] };
    },
  },
  {
    ...base,
    name: 'remove wish',
    keys: ['x'],
    label: 'remove wish',
    does: 'Take the agent’s wish to dissolve off the list; the handoff stays armed.',
    footer: 2,
    whyNot: (context) => (selectedRequest(context) === null ? noRequest : null),
    run: (context) => settle(context, false),
  },
  {
    ...base,
    name: 'let it try again',
    keys: ['t'],
    label: 'let try again',
    does: 'Let an agent that gave too many wrong values give one again.',
    footer: 3,
    whyNot(context) {
      const request = selectedRequest(context);
      if (request === null) return noRequest;
      return request.why === 'attempts' ? null : `${request.agent_id} waits for your acknowledgement, not for tries`;
    },
    run: (context) => settle(context, true),
  },
];
