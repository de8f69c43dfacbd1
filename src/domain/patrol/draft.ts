/** One agent's judgement in the making: what the rules of the patrol read and write, in reading order. */
import type { AgentLedger } from '../agent-ledger.ts';
import type { Ladder, Severity } from '../ladder.ts';
import type { AgentState } from '../status.ts';
import type { AgentFacts, Effect, EscalationDraft, Judgement, PatrolFacts, Verdict } from './facts.ts';
import type { StallClock } from './stall-clock.ts';

export interface Draft {
  readonly agent: AgentFacts;
  readonly town: PatrolFacts;
  readonly now: number;
  clock: StallClock;
  ladder: Ladder | null;
  ledger: AgentLedger;
  effects: Effect[];
  deadline: number;
}

/** Judge again no later than `ms`. */
export function wakeAt(draft: Draft, ms: number): void {
  if (ms < draft.deadline) draft.deadline = ms;
}

/** Silence is counted from now on: something that excused it has ended. */
export function restartClock(draft: Draft): void {
  draft.clock = { ...draft.clock, since: draft.now };
  draft.ledger = { ...draft.ledger, exempt: null, floorAt: draft.now };
}

export const silentMs = (draft: Draft): number => draft.now - draft.clock.since;

/** Its last start by anyone; one from a clock that was set back counts from the deacon's first look after that. */
export function startedAt({ agent, town, now }: Draft): number {
  const at = agent.startedAt ?? 0;
  return at <= now + town.pace.skewMs ? Math.min(at, now) : Math.min(town.seenSince, now);
}

export const beadOf = (draft: Draft): string | null =>
  draft.agent.hook.kind === 'work' ? draft.agent.hook.bead_id : null;

export const about = (draft: Draft, reason: string) => ({
  agent_id: draft.agent.agent_id,
  bead_id: beadOf(draft),
  reason,
});

/** Tells a standing condition once; `untell` when it has ended. */
export function tell(draft: Draft, what: string, reason: string): void {
  if (draft.ledger.told.includes(what)) return;
  draft.ledger = { ...draft.ledger, told: [...draft.ledger.told, what] };
  draft.effects.push({ kind: 'notice', about: what, ...about(draft, reason) });
}

export function untell(draft: Draft, what: string): void {
  if (!draft.ledger.told.includes(what)) return;
  draft.ledger = { ...draft.ledger, told: draft.ledger.told.filter((told) => told !== what) };
}

/** Opens an escalation unless its file exists: the id makes it one, however often the deacon dies in between. */
export function escalate(draft: Draft, escalation: EscalationDraft, reason: string): void {
  if (draft.agent.escalations.includes(escalation.escalation_id)) return;
  draft.effects.push({ kind: 'escalate', escalation, ...about(draft, reason) });
}

/** The screen decides last whether a silent agent may be acted on; false: it must be read first. */
export function look(draft: Draft): boolean {
  if (draft.agent.screen !== null) return true;
  draft.effects.push({ kind: 'look', ...about(draft, 'before acting on a silent agent') });
  wakeAt(draft, draft.now + 1_000);
  return false;
}

export function verdict(
  draft: Draft,
  state: AgentState,
  detail: string,
  more: { until?: number | null; severity?: Severity | null } = {},
): Verdict {
  return {
    agent_id: draft.agent.agent_id,
    bead_id: beadOf(draft),
    state,
    detail,
    until: more.until ?? null,
    severity: more.severity ?? null,
    silentMs: silentMs(draft),
  };
}

/** The finished judgement: only what changed is to be saved. */
export function finish(draft: Draft, said: Verdict): Judgement {
  const { agent } = draft;
  return {
    verdict: said,
    ladder: draft.ladder === agent.ladder ? null : draft.ladder,
    ledger: draft.ledger === agent.ledger ? null : draft.ledger,
    effects: draft.effects,
    deadline: draft.deadline,
  };
}
