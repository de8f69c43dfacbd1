/** A task as commands print it: ISO times, null for what is missing. */
import { type Task, taskId } from '../../domain/task.ts';
import { toIso } from '../../domain/time.ts';

export const taskView = (task: Task) => ({
  task_id: taskId(task),
  title: task.title,
  description: task.description,
  priority: task.priority,
  status: task.status,
  run_id: task.run_id,
  holder: task.holder,
  claimed_at: isoOrNull(task.claimed_at),
  renewed_at: isoOrNull(task.renewed_at),
  lease_until: isoOrNull(task.lease_until),
  lapses: task.lapses,
  failures: task.failures,
  result: task.result,
  error: task.error,
  created_at: toIso(task.created_at),
  finished_at: isoOrNull(task.finished_at),
});
export type TaskView = ReturnType<typeof taskView>;

/** For its holder alone: with the token that every later word about it must show. */
export const heldView = (task: Task) => ({ ...taskView(task), token: task.token });
export type HeldView = ReturnType<typeof heldView>;

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms));
