/**
 * One task of a swarm as a lease machine: pending → claimed → done or failed. A claim is a lease with a fencing token;
 * every later word about it must show that token while the lease lives (seed 004: atomic claim and release, 5 minutes).
 */
import type { Priority } from './bead.ts';
import { usage } from './errors.ts';

export const taskStatuses = ['pending', 'claimed', 'done', 'failed'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export interface Task {
  /** Its place in the order of adding; `task_id` is made from it. */
  seq: number;
  title: string;
  description: string;
  priority: Priority;
  status: TaskStatus;
  /** The swarm that works on it; null: none yet. */
  run_id: string | null;
  /** The agent that holds it, or held it last, and that agent's run. */
  holder: string | null;
  instance_id: string | null;
  /** Of its latest claim; larger than that of any claim before, of whatever task. 0: never claimed. */
  token: number;
  /** Of the lease, ms; null unless claimed. */
  claimed_at: number | null;
  renewed_at: number | null;
  lease_until: number | null;
  /** Leases that ran out, and attempts that failed. */
  lapses: number;
  failures: number;
  result: string | null;
  /** Why it failed last. */
  error: string | null;
  created_at: number;
  finished_at: number | null;
}

export interface NewTask {
  title: string;
  description: string;
  priority: Priority;
}

/** Milliseconds of a lease, unless the configuration says otherwise (seed 004). */
export const standardLeaseMs = 300_000;
/** A task that failed so often, or whose holders vanished so often, is failed for good: it would never end. */
export const failureLimit = 3;
export const lapseLimit = 5;
/** A lease that was renewed later than this in the future is of a clock that was set back: it is over. */
const skewMs = 60_000;

export type TaskEvent =
  | { kind: 'claim'; holder: string; instance_id: string | null; token: number; leaseMs: number }
  | { kind: 'renew'; token: number; leaseMs: number }
  | { kind: 'finish'; token: number; result: string }
  | { kind: 'fail'; token: number; error: string }
  | { kind: 'release'; token: number }
  /** Its lease ran out, or its holder's run is known to be over. */
  | { kind: 'lapse'; why: string };

export type TaskRefusal =
  /** It is held, or over. */
  | 'not_pending'
  /** Nobody holds it: the lease ran out, or it is over. */
  | 'not_claimed'
  /** Another claim came after the one of this token. */
  | 'other_token'
  /** The lease ran out and nobody has noted it yet. */
  | 'lease_over';

/** The task after the event at `now` (ms), or why it may not happen. Nothing else changes a task. */
export function stepTask(task: Task, event: TaskEvent, now: number): Task | TaskRefusal {
  if (event.kind === 'claim') return task.status === 'pending' ? claimed(task, event, now) : 'not_pending';
  if (task.status !== 'claimed') return 'not_claimed';
  if (event.kind === 'lapse') return lapsed(task, event.why, now);
  if (event.token !== task.token) return 'other_token';
  if (isLeaseOver(task, now)) return 'lease_over';
  switch (event.kind) {
    case 'renew':
      return { ...task, renewed_at: now, lease_until: now + event.leaseMs };
    case 'release':
      return free(task);
    case 'finish':
      return { ...ended(task, 'done', now), result: event.result, error: null };
    case 'fail': {
      const failures = task.failures + 1;
      const next = { ...task, failures, error: event.error };
      return failures >= failureLimit ? ended(next, 'failed', now) : free(next);
    }
  }
}

export function isLeaseOver({ lease_until, renewed_at }: Task, now: number): boolean {
  return lease_until === null || now >= lease_until || (renewed_at !== null && renewed_at - now > skewMs);
}

function claimed(
  task: Task,
  { holder, instance_id, token, leaseMs }: Extract<TaskEvent, { kind: 'claim' }>,
  now: number,
): Task {
  return {
    ...task,
    status: 'claimed',
    holder,
    instance_id,
    token,
    claimed_at: now,
    renewed_at: now,
    lease_until: now + leaseMs,
  };
}

function lapsed(task: Task, why: string, now: number): Task {
  const lapses = task.lapses + 1;
  const next = { ...task, lapses, error: why };
  return lapses >= lapseLimit ? ended(next, 'failed', now) : free(next);
}

const unleased = { claimed_at: null, renewed_at: null, lease_until: null } as const;
const free = (task: Task): Task => ({ ...task, ...unleased, status: 'pending' });
const ended = (task: Task, status: 'done' | 'failed', now: number): Task => ({
  ...task,
  ...unleased,
  status,
  finished_at: now,
});

/**
 * What this agent is given first: the more urgent; then what it did not give up itself before; then the older, by number,
 * so that t-10 comes after t-2.
 */
export const byTurn =
  (agentId: string) =>
  (a: Task, b: Task): number =>
    (a.priority < b.priority ? -1 : a.priority > b.priority ? 1 : 0) ||
    Number(a.holder === agentId) - Number(b.holder === agentId) ||
    a.seq - b.seq;

export interface TaskCounts {
  pending: number;
  claimed: number;
  done: number;
  failed: number;
}

/** A swarm is finished when nothing is pending and nobody holds anything: failed tasks are over, too (seed 004). */
export const isFinished = ({ pending, claimed: held }: TaskCounts): boolean => pending + held === 0;

export const taskId = ({ seq }: Pick<Task, 'seq'>): string => `t-${seq}`;

/** The number of a task's id; exit 1 for anything else. */
export function parseTaskId(text: string | undefined): number {
  const [, seq] = /^t-([1-9]\d{0,14})$/.exec(text ?? '') ?? [];
  if (seq === undefined)
    throw usage(`not a task: ${JSON.stringify((text ?? '').slice(0, 40))}`, 'tasks are called t-1, t-2, …');
  return Number(seq);
}
