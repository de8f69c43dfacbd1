/**
 * The learning loop of seed 001: four rules over the metrics, as proposals with their evidence. Deterministic, never
 * applied by itself: a human accepts or rejects.
 */
import * as z from 'zod/mini';
import { type MetricsSummary, minimumSamples, type RuntimeRow } from './metrics.ts';
import { isoTime, toIso } from './time.ts';

const rules = ['threshold_tuning', 'strategy_switching', 'interval_optimization', 'restart_policy'] as const;

export const proposalSchema = z.looseObject({
  proposal_id: z.string(),
  rule: z.enum(rules),
  runtime: z.string(),
  /** The key of `gupp.runtimes.<runtime>` that would change; null: advice without a setting. */
  setting: z.nullable(z.enum(['stall_detection', 'nudge_interval', 'strategy'])),
  current: z.nullable(z.union([z.number(), z.string()])),
  proposed: z.nullable(z.union([z.number(), z.string()])),
  reason: z.string(),
  evidence: z.record(z.string(), z.number()),
  status: z.enum(['open', 'accepted', 'rejected']),
  created_at: isoTime,
  decided_at: z.nullable(isoTime),
  decided_by: z.nullable(z.string()),
});
export type Proposal = z.infer<typeof proposalSchema>;

/** What is in force for a runtime, in seconds. */
export interface InForce {
  stall_detection: number;
  nudge_interval: number;
  strategy: string;
  /** Used instead of the primary strategy; null where the runtime has no other. */
  secondary: string | null;
  idealSeconds: number;
}

/** Fewer episodes with a restart than this prove nothing about restarts. */
const minimumRestarts = 5;

/** New proposals from `summary`; a runtime that `inForce` does not know gets none. */
export function propose(
  summary: MetricsSummary,
  inForce: (runtime: string) => InForce | null,
  now: number,
): Proposal[] {
  return summary.runtimes.flatMap((row) => {
    const present = inForce(row.runtime);
    if (present === null) return [];
    const found = [
      tuneThreshold(row, present),
      switchStrategy(row, present, summary),
      tuneInterval(row, present),
      advisePrime(row),
    ];
    return found.flatMap((draft) => (draft === null ? [] : [toProposal(draft, row.runtime, now)]));
  });
}

type Draft = Pick<Proposal, 'rule' | 'setting' | 'current' | 'proposed' | 'reason' | 'evidence'>;

/** The same change has the same name, so that a rejected one does not come back under another. */
function toProposal(draft: Draft, runtime: string, now: number): Proposal {
  const value = draft.proposed === null ? 'advice' : String(draft.proposed).replace(/[^a-z0-9]/gi, '-');
  return {
    ...draft,
    proposal_id: `${draft.rule}-${runtime}-${value}`.replaceAll('_', '-'),
    runtime,
    status: 'open',
    created_at: toIso(now),
    decided_at: null,
    decided_by: null,
  };
}

/** Stalls are frequent and nudges do not help: probably no stalls at all. */
function tuneThreshold({ stallsPerSession, sessions, nudge }: RuntimeRow, present: InForce): Draft | null {
  if (stallsPerSession === null || nudge === null || nudge.n < minimumSamples) return null;
  if (stallsPerSession <= 1 || nudge.value >= 0.5) return null;
  const proposed = Math.min(Math.round(present.stall_detection * 1.25), 1800);
  if (proposed === present.stall_detection) return null;
  return {
    rule: 'threshold_tuning',
    setting: 'stall_detection',
    current: present.stall_detection,
    proposed,
    reason: 'stall detection fires often and few nudges are effective: fewer false positives with more patience',
    evidence: { nudges: nudge.n, nudge_effective: nudge.value, stalls_per_session: stallsPerSession, sessions },
  };
}

function switchStrategy(row: RuntimeRow, present: InForce, { strategies }: MetricsSummary): Draft | null {
  const primary = strategies.find(({ runtime, strategy }) => runtime === row.runtime && strategy === present.strategy);
  if (!primary || primary.rate.n < minimumSamples || primary.rate.value >= 0.7) return null;
  if (present.secondary === null || present.secondary === present.strategy) return null;
  return {
    rule: 'strategy_switching',
    setting: 'strategy',
    current: present.strategy,
    proposed: present.secondary,
    reason: `${present.strategy} makes too few agents begin in time: try the secondary strategy`,
    evidence: { activations: primary.rate.n, success_rate: primary.rate.value },
  };
}

/** Nudges help, and come late. */
function tuneInterval({ nudge, medianResponse }: RuntimeRow, present: InForce): Draft | null {
  if (nudge === null || nudge.n < minimumSamples || nudge.value < 0.8) return null;
  if (medianResponse === null || medianResponse <= present.idealSeconds) return null;
  const proposed = Math.max(Math.round(present.nudge_interval * 0.75), 30);
  if (proposed === present.nudge_interval) return null;
  return {
    rule: 'interval_optimization',
    setting: 'nudge_interval',
    current: present.nudge_interval,
    proposed,
    reason: 'nudges are effective and responses slow: nudge sooner',
    evidence: { nudges: nudge.n, nudge_effective: nudge.value, median_response_s: medianResponse },
  };
}

function advisePrime({ restartCure }: RuntimeRow): Draft | null {
  if (restartCure === null || restartCure.n < minimumRestarts || restartCure.value < 0.8) return null;
  return {
    rule: 'restart_policy',
    setting: null,
    current: null,
    proposed: null,
    reason: 'restarts fix the stalls: the agents need better initial context, improve their instructions',
    evidence: { restarted_episodes: restartCure.n, cured: restartCure.value },
  };
}
