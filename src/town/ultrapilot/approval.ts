/** A plan among the approvals of the control pane: it waits there for a human's word, for as long as it takes. */

import { createHash } from 'node:crypto';
import { refused } from '../../domain/errors.ts';
import type { ApprovalView } from '../../domain/handlers/view.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { planSchema } from '../../domain/ultrapilot/plan-schema.ts';
import { planLine } from '../../domain/ultrapilot/run.ts';
import type { Town } from '../context.ts';
import type { EventStore } from '../events/store.ts';
import { jointRuns, runPrefix } from '../modes/records.ts';

/** Empty or one: there is one ultrapilot at a time. */
export const waitingPlans = (store: EventStore): ApprovalView[] =>
  jointRuns(store, 'ultrapilot').flatMap((record) => {
    const { agent_id, last_checked_at: at, state } = record;
    const plan = planSchema.safeParse(state['plan']);
    if (state['stage'] !== 'plan' || !plan.success) return [];
    return [
      { request_id: requestOf(record), agent_id, tool: 'ultrapilot', what: planLine(plan.data), at, until: null },
    ];
  });

/** Of the very text: whoever answers has seen that one. */
const requestOf = ({ run_id, state }: Pick<ModeRecord, 'run_id' | 'state'>): string =>
  `${run_id}-${createHash('sha256').update(String(state['text'])).digest('hex').slice(0, 12)}`;

export const isPlan = (requestId: string): boolean => requestId.startsWith(runPrefix);

/** Allowed, the work begins; denied, nothing does. Throws exit 3 for a plan that waits no more. Answers one line. */
export async function answerPlan(town: Town, requestId: string, behavior: 'allow' | 'deny'): Promise<string> {
  const { requireUltrapilot } = await import('./run.ts');
  const run = requireUltrapilot(town);
  if (requestOf(run.record) !== requestId || run.state.stage !== 'plan')
    throw refused('this plan waits no more', 'gastown ultrapilot shows it');
  if (behavior === 'deny') {
    const { turnDown } = await import('./plan.ts');
    await turnDown(town, run);
    return 'the plan is turned down: gastown ultrapilot edit changes it';
  }
  const { beginWork } = await import('./begin.ts');
  const { state } = await beginWork(town);
  return `the ultrapilot begins: ${state.parts.length} workers`;
}
