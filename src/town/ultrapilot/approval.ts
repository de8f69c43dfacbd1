/** A plan among the approvals of the control pane: it waits there for a human's word, for as long as it takes. */

import { refused } from '../../domain/errors.ts';
import type { ApprovalView } from '../../domain/handlers/view.ts';
import { planSchema } from '../../domain/ultrapilot/plan-schema.ts';
import { planLine } from '../../domain/ultrapilot/run.ts';
import type { Town } from '../context.ts';
import type { EventStore } from '../events/store.ts';
import { jointRuns, runPrefix } from '../modes/records.ts';

/** Empty or one: there is one ultrapilot at a time. */
export const waitingPlans = (store: EventStore): ApprovalView[] =>
  jointRuns(store, 'ultrapilot').flatMap(({ run_id, agent_id, last_checked_at: at, state }) => {
    const plan = planSchema.safeParse(state['plan']);
    if (state['stage'] !== 'plan' || !plan.success) return [];
    return [{ request_id: run_id, agent_id, tool: 'ultrapilot', what: planLine(plan.data), at, until: null }];
  });

export const isPlan = (requestId: string): boolean => requestId.startsWith(runPrefix);

/** Allowed, the work begins; denied, nothing does. Throws exit 3 for a plan that waits no more. Answers one line. */
export async function answerPlan(town: Town, runId: string, behavior: 'allow' | 'deny'): Promise<string> {
  const { requireUltrapilot } = await import('./run.ts');
  const run = requireUltrapilot(town);
  if (run.record.run_id !== runId || run.state.stage !== 'plan')
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
