/** What a human decides about the proposals of the learning loop: nothing changes by itself (seed 001). */
import type { Proposal } from '../../domain/learning.ts';
import type { Action } from './action.ts';
import { ask, type Context, change, perform } from './context.ts';

export const selectedProposal = ({ ui }: Pick<Context, 'ui'>): Proposal | null => {
  const proposals = ui.measures?.proposals ?? [];
  return proposals[Math.min(proposals.length - 1, ui.cursors.learning ?? 0)] ?? null;
};

/** `claude stall_detection 120 → 150`, or the runtime alone where no setting would change. */
export const proposalText = ({ runtime, setting, current, proposed }: Proposal): string =>
  setting === null ? runtime : `${runtime} ${setting} ${current} → ${proposed}`;

function whyNot(context: Context): string | null {
  const proposal = selectedProposal(context);
  if (proposal === null) return 'nothing is proposed';
  return proposal.status === 'open' ? null : `it was ${proposal.status} already`;
}

const base = { group: 'list', screens: ['learning'], whyNot } as const;

export const learningActions: readonly Action[] = [
  {
    ...base,
    name: 'accept proposal',
    keys: ['a'],
    label: 'accept',
    does: 'Write the selected proposal into gastown.yaml (asks).',
    destructive: true,
    footer: 1,
    run(context) {
      const proposal = selectedProposal(context);
      if (proposal === null) return change(context, {});
      const effect = { kind: 'decide', proposalId: proposal.proposal_id, decision: 'accept' } as const;
      const consequence =
        proposal.setting === null ? 'it is noted; no setting changes' : 'gastown.yaml is changed, its comments stay';
      return ask(context, `Accept ${proposalText(proposal)}?`, consequence, effect);
    },
  },
  {
    ...base,
    name: 'reject proposal',
    keys: ['x'],
    label: 'reject',
    does: 'Nothing changes, and the same proposal does not come again.',
    destructive: false,
    footer: 2,
    run(context) {
      const proposal = selectedProposal(context);
      if (proposal === null) return change(context, {});
      return perform(context, { kind: 'decide', proposalId: proposal.proposal_id, decision: 'reject' });
    },
  },
];
