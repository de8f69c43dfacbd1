/** The queue of approvals: tools and plans that wait for a human's word here, and what can be said to the selected one. */
import type { ApprovalView } from '../../domain/handlers/view.ts';
import type { Action } from './action.ts';
import { type Context, change, perform, type Step } from './context.ts';

export const selectedApproval = ({ view, ui }: Pick<Context, 'view' | 'ui'>): ApprovalView | null =>
  view.approvals[Math.min(view.approvals.length - 1, ui.cursors.approvals ?? 0)] ?? null;

const whyNot = (context: Context): string | null =>
  selectedApproval(context) === null ? 'nothing waits for an approval' : null;

function say(context: Context, behavior: 'allow' | 'deny'): Step {
  const request = selectedApproval(context);
  return request === null
    ? change(context, {})
    : perform(context, { kind: 'approval', requestId: request.request_id, agentId: request.agent_id, behavior });
}

const base = { group: 'list', screens: ['approvals'], destructive: false, whyNot } as const;

export const approvalActions: readonly Action[] = [
  {
    ...base,
    name: 'allow',
    keys: ['y'],
    label: 'allow',
    does: 'Let the selected tool run, this once; let the work of the selected plan begin.',
    footer: 1,
    run: (context) => say(context, 'allow'),
  },
  {
    ...base,
    name: 'deny',
    keys: ['n'],
    label: 'deny',
    does: 'Keep the selected tool from running, and tell its agent; turn the selected plan down.',
    footer: 2,
    run: (context) => say(context, 'deny'),
  },
];
