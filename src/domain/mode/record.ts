/** What is kept of a mode: `modes/<session>/<mode>.json`, one run of one mode in one session (DESIGN section 5). */
import * as z from 'zod/mini';
import { isoTime } from '../time.ts';
import { modeNames } from './names.ts';

/** A command the town runs itself, and what it came to. `tail`: the end of its output, cleaned. */
export const commandSchema = z.object({ name: z.string(), command: z.string() });
export type ModeCommand = z.infer<typeof commandSchema>;

/** What the town owes the mode next; the deacon carries it out, and a cancelled run is owed nothing. */
export const nextSchema = z.union([
  /** Text for the agent. `delivery` is null until it is tried; `typing` is on record before the first key. */
  z.looseObject({
    kind: z.literal('say'),
    text: z.string(),
    at: isoTime,
    delivery: z.nullable(z.looseObject({ kind: z.string(), why: z.string(), at: isoTime })),
  }),
  /** Commands to run in the agent's tree, one after the other, until one fails. */
  z.looseObject({
    kind: z.literal('run'),
    commands: z.array(commandSchema),
    at: isoTime,
    running: z.boolean(),
    /** The process that runs them, so that a dead one's are run again. */
    runner: z.optional(z.looseObject({ pid: z.number(), pid_started: z.string(), hostname: z.string() })),
  }),
  /** A verdict to wait for; `told` once the reviewer (an agent, or null for the human) knows. */
  z.looseObject({
    kind: z.literal('review'),
    request_id: z.string(),
    reviewer: z.nullable(z.string()),
    question: z.string(),
    at: isoTime,
    told: z.boolean(),
  }),
  /** Ready beads for as many agents as the mode may use. */
  z.looseObject({ kind: z.literal('workers'), at: isoTime }),
]);
export type ModeNext = z.infer<typeof nextSchema>;

export const modeSchema = z.looseObject({
  mode: z.enum(modeNames),
  session_id: z.string(),
  agent_id: z.string(),
  /** The agent's run in which it was last looked at. */
  instance_id: z.nullable(z.string()),
  /** New at each start: a cancelled run is told from its successor by it. */
  run_id: z.string(),
  /** The run it was started by; it is cancelled and ended with that one. */
  linked_to: z.nullable(z.string()),
  active: z.boolean(),
  goal: z.string(),
  started_at: isoTime,
  last_checked_at: isoTime,
  /** Continuations so far, and at most. */
  iteration: z.number(),
  max_iterations: z.number(),
  /** Continuations in a row after which no tool was used. */
  still: z.number(),
  continued_at: z.nullable(isoTime),
  next: z.nullable(nextSchema),
  /** Why the last turn was let go with nothing owed, and since when; the next continuation or prompt ends it. */
  held: z.nullable(z.looseObject({ why: z.string(), at: isoTime })),
  /** How it came to its end, for the operator; null while active. `told`: a failure is with the human. */
  ended: z.nullable(
    z.looseObject({ kind: z.enum(['done', 'failed']), why: z.string(), at: isoTime, told: z.boolean() }),
  ),
  /** The mode's own: read and written by its reducer alone. */
  state: z.record(z.string(), z.unknown()),
});
export type ModeRecord = z.infer<typeof modeSchema>;

/** `modes/cancelled.json`: runs that must never act again, newest last. One write cancels all linked modes at once. */
export const cancelledSchema = z.looseObject({
  runs: z.array(
    z.looseObject({
      run_id: z.string(),
      mode: z.enum(modeNames),
      session_id: z.string(),
      agent_id: z.string(),
      at: isoTime,
      by: z.string(),
    }),
  ),
});
export type CancelledRuns = z.infer<typeof cancelledSchema>;
/** More is not kept: a record that could still name an older run is long gone. */
export const cancelledKept = 500;

/** What a row shows of a mode. */
export interface ModeStatus {
  mode: string;
  session_id: string;
  run_id: string;
  active: boolean;
  iteration: number;
  max_iterations: number;
  /** Of the mode: its phase, stage, cycle. */
  phase: string | null;
  /** What it is at: the story, the stage's text, the goal. */
  story: string | null;
  /** Continuations left. */
  budget: number;
  /** What it waits for, or how it ended, in words. */
  detail: string;
}
