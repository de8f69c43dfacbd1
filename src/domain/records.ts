/**
 * The other records of `.chipset/state` (DESIGN section 5). Loose objects: unknown keys survive a round trip.
 * The hook and the bead have files of their own beside their rules.
 */
import * as z from 'zod/mini';
import { isoTime } from './time.ts';

/** The running town; `config` is the configuration in force, recorded so that every command agrees until `down`. */
export const townSchema = z.looseObject({
  root: z.string(),
  name: z.string(),
  running: z.boolean(),
  socket: z.string(),
  server_pid: z.nullable(z.number()),
  /** Start time of the server process as the kernel tells it (opaque text), so a reused pid is never taken for it. */
  server_started: z.nullable(z.string()),
  demo: z.boolean(),
  control_pane: z.nullable(z.string()),
  /** The operator stopped the deacon: nobody starts it again by itself. */
  deacon_stopped: z.optional(z.boolean()),
  config: z.looseObject({ agents: z.array(z.unknown()) }),
  updated_at: isoTime,
});
export type TownRecord = z.infer<typeof townSchema>;

/** The last run of an agent. `stop_intent` is true when the operator stopped it: nothing restarts it then. */
export const agentSchema = z.looseObject({
  agent_id: z.string(),
  role: z.string(),
  runtime: z.string(),
  /** New at each start: a message to a predecessor never reaches its successor. */
  instance_id: z.nullable(z.string()),
  pane_id: z.nullable(z.string()),
  /** Process id of the pane's runner. */
  pid: z.nullable(z.number()),
  /** The runner's start time as the kernel tells it. */
  pid_started: z.nullable(z.string()),
  started_at: z.nullable(isoTime),
  session_id: z.nullable(z.string()),
  previous_sessions: z.array(z.string()),
  /** Its next run begins a new conversation, whoever starts it: this one was ended over a handoff (field report 47). */
  begin_fresh: z.optional(z.boolean()),
  worktree: z.nullable(z.string()),
  branch: z.nullable(z.string()),
  stop_intent: z.boolean(),
  /** The strategy this run was started with, and whether its fallback had to be used. */
  strategy: z.nullable(z.string()),
  fallback_at: z.nullable(isoTime),
  /** First proof that the runtime was ready in this run. */
  ready_at: z.nullable(isoTime),
  /** First event of the runtime's own hook system in this run; null: installed but silent so far. */
  first_event_at: z.nullable(isoTime),
  /** Why the last start failed, in one line; null when it did not. */
  start_error: z.nullable(z.string()),
  /** What is typed once the runtime is ready, and what that came to; null receipt: not yet tried. */
  start_text: z.nullable(z.string()),
  start_receipt: z.nullable(z.string()),
  /** When this run was last primed, by its start, by `gt prime` or by an event. */
  primed_at: z.nullable(isoTime),
});
export type AgentRecord = z.infer<typeof agentSchema>;

export const freshnessStatuses = ['active', 'awaiting', 'asking', 'parked', 'idle', 'error'] as const;

/** What a session declares of itself (seed 003). Only governed sessions, those the town started, are written. */
export const sessionSchema = z.looseObject({
  session_id: z.string(),
  agent_id: z.nullable(z.string()),
  governed: z.boolean(),
  status: z.enum(freshnessStatuses),
  note: z.nullable(z.string()),
  proposal: z.nullable(z.string()),
  /** The question tool that set `asking`; only its own end ends this asking. */
  tool_use_id: z.nullable(z.string()),
  updated_at: isoTime,
  source: z.string(),
  /** The runtime's permission prompt that waits for a human; absent or null: none known. */
  permission: z.optional(z.nullable(z.looseObject({ tool: z.string(), at: isoTime, what: z.optional(z.string()) }))),
  /** A subagent asks the human: shown beside the declared state, never in its place (seed 003). */
  subagent_question: z.optional(z.nullable(z.looseObject({ note: z.string(), tool_use_id: z.string(), at: isoTime }))),
  /** Ids of the in-process subagents that run. */
  subagents: z.optional(z.array(z.string())),
  /** The usage limit that ended its last turn; null from the next prompt on. `until` null: the words do not say. */
  limit: z.optional(z.nullable(z.looseObject({ at: isoTime, until: z.nullable(isoTime), line: z.string() }))),
  /** When the stop gate asked for a declaration in this turn; null after the next prompt. */
  stop_asked_at: z.optional(z.nullable(isoTime)),
  /** When its turn stopped while subagents still ran; null after the last of them, or the next prompt. */
  stopped_at: z.optional(z.nullable(isoTime)),
  /** The runtime said that this session ended. */
  ended_at: z.optional(z.nullable(isoTime)),
  /** The agent's run that this session belongs to. */
  instance_id: z.optional(z.nullable(z.string())),
  /** The process whose events these are, with its start time: tells a nested run from the agent's own program. */
  owner: z.optional(z.nullable(z.looseObject({ pid: z.number(), pid_started: z.string() }))),
});
export type SessionRecord = z.infer<typeof sessionSchema>;

export const nudgeTypes = [
  'health_check',
  'stall_warning',
  'priority_change',
  'abort',
  'sync_request',
  'nudge_response',
] as const;

export const nudgeSchema = z.looseObject({
  nudge_id: z.string(),
  from: z.string(),
  type: z.enum(nudgeTypes),
  message: z.string(),
  timestamp: isoTime,
  requires_response: z.boolean(),
  bead_id: z.nullable(z.string()),
  in_reply_to: z.optional(z.string()),
  /** What typing it into the pane came to; absent until it was tried. `queued` is tried again by the deacon. */
  delivery: z.optional(
    z.looseObject({
      kind: z.enum(['verified', 'unverified', 'queued', 'failed']),
      why: z.string(),
      at: isoTime,
      attempts: z.number(),
    }),
  ),
});
export type Nudge = z.infer<typeof nudgeSchema>;

export const mailSchema = z.looseObject({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  type: z.string(),
  subject: z.string(),
  body: z.string(),
  payload: z.string(),
  channel: z.literal('mail'),
  durable: z.boolean(),
  priority: z.enum(['urgent', 'normal', 'low']),
  timestamp: isoTime,
  read: z.boolean(),
});
export type Mail = z.infer<typeof mailSchema>;

export const gateKinds = ['checkpoint', 'phase', 'paused', 'human', 'estop'] as const;

/** An open gate suspends GUPP for its agent or bead (decision 11). `town` is the gate of the whole town. */
export const gateSchema = z.looseObject({
  kind: z.enum(gateKinds),
  reason: z.string(),
  opened_at: isoTime,
  by: z.string(),
});
export type Gate = z.infer<typeof gateSchema>;

export const escalationSchema = z.looseObject({
  escalation_id: z.string(),
  kind: z.string(),
  agent_id: z.nullable(z.string()),
  bead_id: z.nullable(z.string()),
  message: z.string(),
  opened_at: isoTime,
  acknowledged_at: z.nullable(isoTime),
});
export type Escalation = z.infer<typeof escalationSchema>;

export const leaseSchema = z.looseObject({
  pid: z.number(),
  pid_started: z.string(),
  hostname: z.string(),
  taken_at: isoTime,
  tick_at: isoTime,
  /** The machine's uptime at that tick, seconds: tells after a deacon's death whether the clock was set. */
  uptime_s: z.optional(z.number()),
  /** No stall clock starts before this: the last sleep, jump or absence. */
  floor_at: z.optional(z.nullable(isoTime)),
});
export type Lease = z.infer<typeof leaseSchema>;

/** What the deacon remembers of a bead: survives every restart of the deacon (decision 5). `domain/ladder.ts` reads it. */
export const ledgerSchema = z.looseObject({
  bead_id: z.string(),
  agent_id: z.string(),
  /** The assignment these marks belong to, when its work began, and whether it was counted as an activation. */
  assigned_at: z.optional(isoTime),
  begun_at: z.optional(z.nullable(isoTime)),
  activation: z.optional(z.boolean()),
  /** Stall episodes so far; one from the first crossing of the threshold until recovery. */
  episodes: z.number(),
  stalled_at: z.nullable(isoTime),
  /** Last activity as it was known then. */
  quiet_at: z.optional(z.nullable(isoTime)),
  nudges: z.array(
    z.looseObject({
      nudge_id: z.string(),
      at: isoTime,
      /** What delivery came to; null while it is only intended. */
      receipt: z.optional(z.nullable(z.string())),
      answered_at: z.nullable(isoTime),
      effective: z.nullable(z.boolean()),
    }),
  ),
  restarts: z.array(
    z.looseObject({
      n: z.number(),
      at: isoTime,
      /** `requested`, then `done` or `failed: …`. */
      outcome: z.string(),
      /** The run that was to be replaced. */
      run: z.optional(z.nullable(z.string())),
    }),
  ),
  severity: z.optional(z.nullable(z.enum(['warning', 'alert', 'critical']))),
  mailed_at: z.optional(z.nullable(isoTime)),
  escalated_at: z.nullable(isoTime),
  escalation_opened: z.optional(z.boolean()),
});
export type Ledger = z.infer<typeof ledgerSchema>;

/** One line of `events.jsonl`. `kind` is dotted: `hook.set`, `agent.started`, `delivery`, `bead.added`, … */
export const journalSchema = z.looseObject({
  at: isoTime,
  kind: z.string(),
  by: z.string(),
  agent_id: z.optional(z.string()),
  bead_id: z.optional(z.string()),
  message: z.string(),
});
export type JournalEntry = z.infer<typeof journalSchema>;
