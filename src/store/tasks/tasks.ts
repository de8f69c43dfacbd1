/**
 * The swarm's tasks on disk: `modes/swarm.db`. Whatever is asked, leases that ran out are noted first; every change is one
 * immediate transaction with one conditional statement, so that of two callers exactly one has its way.
 */
import {
  isLeaseOver,
  type NewTask,
  stepTask,
  type Task,
  type TaskCounts,
  type TaskEvent,
  type TaskRefusal,
} from '../../domain/task.ts';
import { openDatabase } from './open.ts';
import type { Database } from './sqlite.ts';
import { type TasksPlace, withTrouble } from './trouble.ts';

export interface Claimer {
  holder: string;
  /** The agent's present run: what an earlier one held is free at once. */
  instance_id: string | null;
  leaseMs: number;
  /** Only this one. */
  seq?: number | null;
  /** Tasks of these swarms are not given out: they were cancelled. */
  cancelled?: readonly string[];
}

export type Changed = { task: Task } | { refused: TaskRefusal | 'absent'; task: Task | null };

/** `now` is ms everywhere. All of them throw exit 3 for a store that stays held, exit 4 for one that cannot be used. */
export interface TaskStore {
  add(tasks: readonly NewTask[], runId: string | null, now: number): Task[];
  /** The first by turn, or the one asked for; `refused: 'absent'`: none is pending. */
  claim(claimer: Claimer, now: number): Changed;
  change(seq: number, event: Exclude<TaskEvent, { kind: 'claim' | 'lapse' }>, now: number): Changed;
  /** What is not over belongs to that swarm from now on. Answers how many tasks. */
  adopt(runId: string, now: number): number;
  get(seq: number, now: number): Task | null;
  /** In the order of adding; of one swarm, or all for null. */
  list(runId: string | null, now: number): Task[];
  held(now: number): Task[];
  counts(runId: string | null, now: number): TaskCounts;
  /** Tasks that came free, or failed for good, because their holder was gone: noted since opening, as they are afterwards. */
  readonly lapsed: readonly Task[];
  close(): void;
}

/** Null where there is no list and `make` is false. */
export async function openTasks(
  place: TasksPlace,
  options: { waitMs?: number; make?: boolean } = {},
): Promise<TaskStore | null> {
  const database = await openDatabase(place, options);
  return database === null ? null : withTrouble(place, () => tasksOf(database, place));
}

type Row = Task;

function tasksOf(database: Database, place: TasksPlace): TaskStore {
  const statements = prepareAll(database);
  const lapsed: Task[] = [];
  /** One immediate transaction: who begins it has the only pen. */
  const alone = <T>(work: () => T): T => withTrouble(place, () => database.transaction(work).immediate());
  const look = <T>(now: number, work: () => T): T =>
    withTrouble(place, () => {
      // Looking takes the pen only where a lease has run out.
      if (over(now).length > 0) database.transaction(() => sweep(now)).immediate();
      return work();
    });
  const over = (now: number): Task[] => statements.claimed.all().filter((task) => isLeaseOver(task, now));
  const sweep = (now: number): void => {
    for (const task of over(now))
      write(task, { kind: 'lapse', why: `the lease of ${task.holder ?? 'nobody'} ran out` }, now);
  };
  const write = (task: Task, event: TaskEvent, now: number): Changed => {
    const next = stepTask(task, event, now);
    if (typeof next === 'string') return { refused: next, task };
    const { changes } = statements.write.run({ ...next, was_status: task.status, was_token: task.token });
    if (changes !== 1) throw new Error(`task ${task.seq} changed under its own transaction`);
    if (event.kind === 'lapse') lapsed.push(next);
    return { task: next };
  };
  const nextToken = (): number => statements.fence.get()?.token ?? 0;

  return {
    add: (tasks, runId, now) =>
      alone(() => {
        sweep(now);
        return tasks.map((task) => {
          const row = statements.add.get({ ...task, run_id: runId, created_at: now });
          if (row === undefined) throw new Error('an added task is never absent');
          return row;
        });
      }),
    claim: ({ holder, instance_id, leaseMs, seq = null, cancelled = [] }, now) =>
      alone(() => {
        sweep(now);
        for (const task of statements.heldBy.all(holder)) {
          if (instance_id === null || task.instance_id === null || task.instance_id === instance_id) continue;
          write(task, { kind: 'lapse', why: `that run of ${holder} is over` }, now);
        }
        const free = statements.pending.get({ holder, cancelled: JSON.stringify(cancelled) });
        const task = seq === null ? free : statements.one.get(seq);
        if (task === undefined) return { refused: 'absent', task: null };
        if (task.run_id !== null && cancelled.includes(task.run_id)) return { refused: 'absent', task };
        return write(task, { kind: 'claim', holder, instance_id, leaseMs, token: nextToken() }, now);
      }),
    change: (seq, event, now) =>
      alone(() => {
        sweep(now);
        const task = statements.one.get(seq);
        return task === undefined ? { refused: 'absent', task: null } : write(task, event, now);
      }),
    adopt: (runId, now) =>
      alone(() => {
        sweep(now);
        return statements.adopt.run(runId).changes;
      }),
    get: (seq, now) => look(now, () => statements.one.get(seq) ?? null),
    list: (runId, now) => look(now, () => (runId === null ? statements.all.all() : statements.ofRun.all(runId))),
    held: (now) => look(now, () => statements.claimed.all()),
    counts: (runId, now) => look(now, () => countsOf(statements.counts.all({ run_id: runId }))),
    lapsed,
    close: () => database.close(),
  };
}

function countsOf(rows: readonly { status: keyof TaskCounts; count: number }[]): TaskCounts {
  const counts: TaskCounts = { pending: 0, claimed: 0, done: 0, failed: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

function prepareAll(database: Database) {
  return {
    add: database.prepare<[object], Row>(
      `INSERT INTO tasks (title, description, priority, status, run_id, token, lapses, failures, created_at)
       VALUES (@title, @description, @priority, 'pending', @run_id, 0, 0, 0, @created_at) RETURNING *`,
    ),
    one: database.prepare<[number], Row>('SELECT * FROM tasks WHERE seq = ?'),
    all: database.prepare<[], Row>('SELECT * FROM tasks ORDER BY seq'),
    ofRun: database.prepare<[string], Row>('SELECT * FROM tasks WHERE run_id = ? ORDER BY seq'),
    // `byTurn` of domain/task.ts.
    pending: database.prepare<[{ holder: string; cancelled: string }], Row>(
      `SELECT * FROM tasks WHERE status = 'pending'
       AND (run_id IS NULL OR run_id NOT IN (SELECT value FROM json_each(@cancelled)))
       ORDER BY priority, holder IS @holder, seq LIMIT 1`,
    ),
    claimed: database.prepare<[], Row>(`SELECT * FROM tasks WHERE status = 'claimed' ORDER BY seq`),
    heldBy: database.prepare<[string], Row>(`SELECT * FROM tasks WHERE status = 'claimed' AND holder = ?`),
    counts: database.prepare<[{ run_id: string | null }], { status: keyof TaskCounts; count: number }>(
      'SELECT status, count(*) AS count FROM tasks WHERE @run_id IS NULL OR run_id = @run_id GROUP BY status',
    ),
    adopt: database.prepare<[string]>(`UPDATE tasks SET run_id = ? WHERE status IN ('pending', 'claimed')`),
    fence: database.prepare<[], { token: number }>('UPDATE fence SET token = token + 1 WHERE one = 1 RETURNING token'),
    write: database.prepare<[object]>(
      `UPDATE tasks SET status = @status, holder = @holder, instance_id = @instance_id, token = @token,
         claimed_at = @claimed_at, renewed_at = @renewed_at, lease_until = @lease_until, lapses = @lapses,
         failures = @failures, result = @result, error = @error, finished_at = @finished_at
       WHERE seq = @seq AND status = @was_status AND token = @was_token`,
    ),
  };
}
