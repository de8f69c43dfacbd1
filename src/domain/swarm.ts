/** A swarm as it is kept in its modes: what the joint run counts, what each member is told. Pure; the store has the tasks. */
import * as z from 'zod/mini';
import { countedWorkSchema } from './mode/counted.ts';
import type { ModeState } from './mode/mode.ts';
import { quoted, said } from './mode/said.ts';
import { type Task, type TaskCounts, taskId } from './task.ts';
import { isoTime, toIso } from './time.ts';

export const heldTaskSchema = z.looseObject({
  task_id: z.string(),
  title: z.string(),
  holder: z.string(),
  claimed_at: isoTime,
  /** Of the last sign of life; the lease runs from then. */
  renewed_at: isoTime,
  lease_until: isoTime,
});

/** `state` of a joint run. */
export const swarmStateSchema = z.extend(countedWorkSchema, {
  /** Agents at most. */
  workers: z.number(),
  /** Every agent that was ever taken in: who left, or was cancelled, is not taken in again. */
  joined: z.array(z.string()),
  counts: z.looseObject({ pending: z.number(), claimed: z.number(), done: z.number(), failed: z.number() }),
  held: z.array(heldTaskSchema),
});
export type SwarmState = z.infer<typeof swarmStateSchema>;

export const noCounts: TaskCounts = { pending: 0, claimed: 0, done: 0, failed: 0 };

export interface Crew {
  workers: number;
  joined: readonly string[];
}

export function swarmState({ workers, joined }: Crew, counts: TaskCounts, held: readonly Task[]): SwarmState {
  return {
    phase: `${counts.claimed} held, ${counts.pending} wait`,
    say: null,
    work: workOf(counts),
    workers,
    joined: [...joined],
    counts: { ...counts },
    held: held.map((task) => ({
      task_id: taskId(task),
      title: task.title.slice(0, 120),
      holder: task.holder ?? '',
      claimed_at: toIso(task.claimed_at ?? 0),
      renewed_at: toIso(task.renewed_at ?? 0),
      lease_until: toIso(task.lease_until ?? 0),
    })),
  };
}

/** Of a joint run's own state; one agent where it cannot be read. */
export function crewOf(state: ModeState): Crew {
  const read = z.safeParse(swarmStateSchema, state);
  return read.success ? read.data : { workers: 1, joined: [] };
}

export interface MemberFacts {
  agent_id: string;
  counts: TaskCounts;
  held: readonly Task[];
  goal: string;
  /** `gt` as a word for a shell. */
  gt: string;
  /**
   * Its runtime tells when it rests. One that does not is left to its lease while it holds a task: nobody else can know
   * whether it works.
   */
  tells: boolean;
}

/** `state` of a member's run: what it is at, and what it is told when it rests. */
export function memberState(facts: MemberFacts): ModeState {
  const own = facts.held.filter(({ holder }) => holder === facts.agent_id);
  return {
    phase: own.length === 0 ? null : own.map(taskId).join(' '),
    say: sayOf(facts, own),
    work: workOf(facts.counts),
  };
}

function sayOf({ counts, goal, gt, tells }: MemberFacts, own: readonly Task[]): string | null {
  const total = counts.pending + counts.claimed + counts.done + counts.failed;
  const [first] = own;
  if (first !== undefined) {
    if (!tells) return null;
    return said(
      'swarm',
      `you hold ${taskId(first)}: ${quoted(first.title)}. Go on with it; nobody else does.`,
      `When it is done: ${gt} task done ${taskId(first)} ${first.token} "what came of it". Where it cannot be: ${gt} task fail ${taskId(first)} ${first.token} "why".`,
    );
  }
  if (counts.pending === 0) return null;
  return said(
    'swarm',
    `${counts.done} of ${total} tasks are done, ${counts.pending} wait.${goal === '' ? '' : ` The whole: ${quoted(goal)}.`}`,
    `Run ${gt} task claim now: it gives you one task that nobody else has, and says how to end it. Do it, end it, claim the next, until none is left; then end your turn.`,
  );
}

const workOf = ({ pending, claimed, done, failed }: TaskCounts): SwarmState['work'] => ({
  total: pending + claimed + done + failed,
  open: pending + claimed,
  done,
  failed,
});
