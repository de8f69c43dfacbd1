/**
 * What the deacon remembers of an agent, beside its beads: cooldown, back-off, standing conditions. On disk
 * `deacon/agents/<agent>.json`; in memory numbers (ms).
 */
import * as z from 'zod/mini';
import { isoTime, parseTime, toIso } from './time.ts';

const maybeTime = z.nullable(isoTime);

export const agentLedgerSchema = z.looseObject({
  agent_id: z.string(),
  session: z.nullable(z.string()),
  last_restart_at: maybeTime,
  starts: z.array(z.looseObject({ at: isoTime, outcome: z.string(), run: z.nullable(z.string()) })),
  crashloop_at: maybeTime,
  loops: z.number(),
  recovery_due: z.boolean(),
  exempt: z.nullable(z.string()),
  floor_at: maybeTime,
  standing: z.nullable(
    z.looseObject({
      kind: z.enum(['dialog', 'limited']),
      detail: z.string(),
      until: maybeTime,
      since: isoTime,
      at: isoTime,
    }),
  ),
  resumed_at: maybeTime,
  told: z.array(z.string()),
});
export type AgentLedgerRecord = z.infer<typeof agentLedgerSchema>;

/** A start of a dead, idle agent by the deacon; `requested` until it was carried out. */
export interface StartMark {
  at: number;
  outcome: string;
  run: string | null;
}

/** What the screen showed when the agent had gone silent, believed until it moves, the time is over, or a new look. */
export interface Standing {
  kind: 'dialog' | 'limited';
  detail: string;
  until: number | null;
  since: number;
  /** Last look. */
  at: number;
}

export interface AgentLedger {
  agent_id: string;
  /** The last session that was counted. */
  session: string | null;
  /** Last restart by the deacon, for whatever bead (cooldown). */
  lastRestartAt: number | null;
  starts: readonly StartMark[];
  crashloopAt: number | null;
  /** Crash loops so far: names their escalations. */
  loops: number;
  /** It failed and was told of; when it runs again that is told too, once. */
  recoveryDue: boolean;
  /** Why GUPP does not apply at the moment; its end starts the stall clock anew. */
  exempt: string | null;
  floorAt: number | null;
  standing: Standing | null;
  /** Last nudge after the end of a usage limit (they are staggered). */
  resumedAt: number | null;
  /** Standing conditions that were told already. */
  told: readonly string[];
}

export const newAgentLedger = (agentId: string): AgentLedger => ({
  agent_id: agentId,
  session: null,
  lastRestartAt: null,
  starts: [],
  crashloopAt: null,
  loops: 0,
  recoveryDue: false,
  exempt: null,
  floorAt: null,
  standing: null,
  resumedAt: null,
  told: [],
});

/** A human's reset: no back-off, no cooldown, no standing limit; the next sign of life is told. */
export const resetAgentLedger = (ledger: AgentLedger): AgentLedger => ({
  ...newAgentLedger(ledger.agent_id),
  session: ledger.session,
  loops: ledger.loops,
  exempt: ledger.exempt,
  floorAt: ledger.floorAt,
  recoveryDue: ledger.recoveryDue || ledger.crashloopAt !== null || ledger.starts.length > 0,
});

/** As `rebaseLadder`: times ahead of a clock that was set back become `now`. A limit's end stays. */
export function rebaseAgentLedger(ledger: AgentLedger, now: number): AgentLedger {
  const ahead = (ms: number | null): boolean => ms !== null && ms > now + 1;
  const moved =
    ahead(ledger.lastRestartAt) ||
    ahead(ledger.crashloopAt) ||
    ahead(ledger.floorAt) ||
    ahead(ledger.resumedAt) ||
    ahead(ledger.standing?.at ?? null) ||
    ledger.starts.some((mark) => ahead(mark.at));
  if (!moved) return ledger;
  const cap = <T extends number | null>(ms: T): T => (ms !== null && ms > now ? (now as T) : ms);
  return {
    ...ledger,
    lastRestartAt: cap(ledger.lastRestartAt),
    crashloopAt: cap(ledger.crashloopAt),
    floorAt: cap(ledger.floorAt),
    resumedAt: cap(ledger.resumedAt),
    standing: ledger.standing && { ...ledger.standing, at: cap(ledger.standing.at) },
    starts: ledger.starts.map((mark) => ({ ...mark, at: cap(mark.at) })),
  };
}

const iso = (ms: number | null): string | null => (ms === null ? null : toIso(ms));

export const agentLedgerToRecord = (ledger: AgentLedger): AgentLedgerRecord => ({
  agent_id: ledger.agent_id,
  session: ledger.session,
  last_restart_at: iso(ledger.lastRestartAt),
  starts: ledger.starts.map((mark) => ({ ...mark, at: toIso(mark.at) })),
  crashloop_at: iso(ledger.crashloopAt),
  loops: ledger.loops,
  recovery_due: ledger.recoveryDue,
  exempt: ledger.exempt,
  floor_at: iso(ledger.floorAt),
  standing: ledger.standing && {
    ...ledger.standing,
    until: iso(ledger.standing.until),
    since: toIso(ledger.standing.since),
    at: toIso(ledger.standing.at),
  },
  resumed_at: iso(ledger.resumedAt),
  told: [...ledger.told],
});

export const agentLedgerFromRecord = (record: AgentLedgerRecord): AgentLedger => ({
  agent_id: record.agent_id,
  session: record.session,
  lastRestartAt: parseTime(record.last_restart_at),
  starts: record.starts.map((mark) => ({ at: parseTime(mark.at) ?? 0, outcome: mark.outcome, run: mark.run })),
  crashloopAt: parseTime(record.crashloop_at),
  loops: record.loops,
  recoveryDue: record.recovery_due,
  exempt: record.exempt,
  floorAt: parseTime(record.floor_at),
  standing: record.standing && {
    kind: record.standing.kind,
    detail: record.standing.detail,
    until: parseTime(record.standing.until),
    since: parseTime(record.standing.since) ?? 0,
    at: parseTime(record.standing.at) ?? 0,
  },
  resumedAt: parseTime(record.resumed_at),
  told: record.told,
});
