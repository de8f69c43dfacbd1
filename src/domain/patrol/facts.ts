/** What the patrol is told, and what it answers: plain data, all instants in ms. */
import type { AgentLedger } from '../agent-ledger.ts';
import type { Pace } from '../backoff.ts';
import type { Ladder, Severity } from '../ladder.ts';
import type { Sample } from '../metrics.ts';
import type { ScreenReading } from '../screen.ts';
import type { AgentState } from '../status.ts';
import type { EffectiveThresholds } from '../thresholds.ts';

export type HookFacts =
  | { kind: 'empty' }
  | { kind: 'unreadable'; why: string }
  | { kind: 'work'; status: 'pending' | 'active' | 'completed'; bead_id: string; assignedAt: number };

export type ProcessFacts =
  | { kind: 'alive' }
  /** `meaning`: what this exit code says in this runtime, where that is no crash; else null. */
  | { kind: 'dead'; exit: number | null; meaning: string | null }
  /** Stopped on purpose, or never started. */
  | { kind: 'stopped' }
  | { kind: 'unknown'; why: string };

export interface AgentFacts {
  agent_id: string;
  runtime: string;
  strategy: string;
  hook: HookFacts;
  /** The later of the hook's `last_activity` and the tool heartbeat. */
  activityAt: number | null;
  /** First activity on this assignment, where the journal tells; else null and `activityAt` stands in. */
  begunAt: number | null;
  primedAt: number | null;
  startedAt: number | null;
  process: ProcessFacts;
  /** Tells one run of the program from the next (instance and pid); null when unknown. */
  run: string | null;
  session: string | null;
  /** The session's declared freshness; `since` is when it was declared. */
  declared: { status: string; note: string | null; since: number } | null;
  /** A tool call that has begun and not ended, while its program lives. */
  openTool: boolean;
  /** The first open gate of agent, bead or town. */
  gate: { kind: string; reason: string } | null;
  /** The agent's newest reply to a nudge. */
  reply: { nudge_id: string | null; at: number } | null;
  /** A usage limit told by the runtime itself. */
  limit: { until: number | null; at: number; line: string } | null;
  /** null: not looked at. Only asked for after a silence (field report 21). */
  screen: ScreenReading | null;
  /** The bead's ladder; `unreadable` is never taken for "no restarts yet". */
  ladder: Ladder | null | { unreadable: string };
  ledger: AgentLedger | { unreadable: string };
  /** The nudge file's id: proof that an intended nudge was written. */
  nudgeFile: string | null;
  /** Ids of the escalations that exist for this agent. */
  escalations: readonly string[];
  thresholds: EffectiveThresholds;
  idealResponseMs: number;
  /** Why the deacon may not restart it; null: it may. */
  unrestartable: string | null;
  /** An effect on this agent is being carried out right now. */
  busy: boolean;
}

export interface PatrolFacts {
  agents: readonly AgentFacts[];
  pace: Pace;
  /** No stall clock starts before this: the end of a sleep, or the deacon's start where no time can be trusted. */
  floorAt: number;
  seenSince: number;
  /** The wall clock moved against the steady one by so much since the last patrol; null: it did not. */
  clockJumpMs: number | null;
  /** The next agent may resume after a usage limit no sooner; `patrol` keeps it as it goes from agent to agent. */
  resumeAt?: number;
  /** Restarts and starts that may still begin; `patrol` keeps it too. */
  brake?: number;
}

export interface EscalationDraft {
  escalation_id: string;
  kind: 'human_escalation' | 'crash_loop' | 'limited' | 'cannot_run' | 'mode_review' | 'mode_failed';
  agent_id: string;
  bead_id: string | null;
  message: string;
}

interface About {
  agent_id: string;
  bead_id: string | null;
  /** Why, in one line, for the journal. */
  reason: string;
}

export type Effect =
  /** Read the agent's screen and judge it again at once. */
  | (About & { kind: 'look' })
  | (About & {
      kind: 'nudge';
      nudge_id: string;
      type: 'health_check' | 'stall_warning' | 'sync_request';
      message: string;
    })
  /** The witness classifies and mails: STALL_ALERT to the witness, then its own words to the mayor. */
  | (About & { kind: 'witness'; severity: Severity; nudges: number; silentMs: number; activityAt: number | null })
  | (About & { kind: 'restart'; n: number; of: number })
  | (About & { kind: 'start'; n: number })
  | (About & { kind: 'escalate'; escalation: EscalationDraft })
  /** A journal line of that kind, once per change of condition. */
  | (About & { kind: 'notice'; about: string })
  | { kind: 'sample'; sample: Sample };

export interface Verdict {
  agent_id: string;
  bead_id: string | null;
  state: AgentState;
  detail: string;
  /** When the state ends or the next step is due; null: no such time. */
  until: number | null;
  severity: Severity | null;
  /** Silence on the stall clock, ms; 0 where it does not run. */
  silentMs: number;
}

export interface Judgement {
  verdict: Verdict;
  /** New contents to save before any effect is carried out; null: unchanged. */
  ladder: Ladder | null;
  ledger: AgentLedger | null;
  effects: readonly Effect[];
  /** When this agent must be judged again at the latest; Infinity: only on a change. */
  deadline: number;
}

export interface Patrol {
  judgements: readonly Judgement[];
  notices: readonly (About & { kind: 'notice'; about: string })[];
  nextDeadline: number | null;
}
