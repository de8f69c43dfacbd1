/**
 * The hook: an agent's one work slot (seed 000). Pure: `transition` says what a change would make of it; the store
 * carries it out under a lock. Anything not in the table of DESIGN section 5 is a conflict.
 */
import * as z from 'zod/mini';
import { isoTime, parseTime, toIso } from './time.ts';

const workItemSchema = z.looseObject({ bead_id: z.string(), title: z.string(), assigned_at: isoTime });

export const hookStatuses = ['empty', 'pending', 'active', 'completed'] as const;

export const hookSchema = z
  .looseObject({
    agent_id: z.string(),
    status: z.enum(hookStatuses),
    work_item: z.nullable(workItemSchema),
    last_activity: isoTime,
  })
  .check(
    z.refine((hook) => (hook.status === 'empty') === (hook.work_item === null), {
      error: 'work_item is null exactly when the hook is empty',
      path: ['work_item'],
    }),
  );

export type Hook = z.infer<typeof hookSchema>;
export type HookStatus = Hook['status'];

export type HookChange =
  | { op: 'set'; bead_id: string; title: string }
  | { op: 'activate' }
  | { op: 'touch' }
  | { op: 'complete' }
  | { op: 'clear'; force?: { reason: string } };

/** Who asks. A guard rail, not security: agents of the same user can edit files. */
export type Actor = { kind: 'mayor' | 'sling' | 'operator' } | { kind: 'agent'; agent_id: string };

export type HookOutcome =
  | { kind: 'changed'; hook: Hook }
  | { kind: 'unchanged' }
  | { kind: 'conflict'; message: string; next: string };

/** `current` is null for a missing file. Unknown keys of the record survive. */
export function transition(
  current: Hook | null,
  agentId: string,
  change: HookChange,
  actor: Actor,
  now: number,
): HookOutcome {
  const status = current?.status ?? 'empty';
  const at = toIso(now);
  const next = (fields: Partial<Hook>): HookOutcome => ({
    kind: 'changed',
    hook: {
      ...current,
      agent_id: agentId,
      work_item: current?.work_item ?? null,
      status,
      last_activity: at,
      ...fields,
    },
  });
  const conflict = (message: string, what = ''): HookOutcome => ({ kind: 'conflict', message, next: what });
  const held = current?.work_item ? ` (${current.work_item.bead_id})` : '';

  if (change.op === 'set' || change.op === 'clear') {
    if (actor.kind === 'agent') return conflict(`only the mayor, sling or the operator may ${change.op} a hook`);
  } else if (actor.kind !== 'agent' || actor.agent_id !== agentId) {
    return conflict(`only ${agentId} itself may ${change.op} its hook`);
  }

  switch (change.op) {
    case 'set':
      if (status !== 'empty') {
        return conflict(
          `${agentId} already has ${status === 'active' ? 'an' : 'a'} ${status} hook${held}`,
          `clear it first: gastown clear ${agentId}`,
        );
      }
      return next({
        status: 'pending',
        work_item: { bead_id: change.bead_id, title: change.title, assigned_at: at },
      });
    case 'activate':
      if (status !== 'pending')
        return conflict(`cannot activate the hook of ${agentId}: it is ${name(current)}${held}`);
      return next({ status: 'active' });
    case 'touch':
      return status === 'active' ? next({}) : { kind: 'unchanged' };
    case 'complete':
      if (status !== 'active') return conflict(`cannot complete the hook of ${agentId}: it is ${name(current)}${held}`);
      return next({ status: 'completed' });
    case 'clear':
      if (status === 'empty') return { kind: 'unchanged' };
      if (status !== 'completed' && !change.force) {
        return conflict(
          `the hook of ${agentId} is ${status}${held}, not completed`,
          `to take the work away: gastown clear ${agentId} --force --reason "…"`,
        );
      }
      return next({ status: 'empty', work_item: null });
  }
}

/** Clocks of two machines differ a little; a time further ahead than this is no evidence of activity. */
const clockToleranceMs = 5_000;

/**
 * The hook with `last_activity` moved to the tool heartbeat, where that is later (decision 3); the very same object
 * where it is not. Only work that is pending or active has activity; times in the future are not believed.
 */
export function foldActivity(hook: Hook, toolAtMs: number | null, now: number): Hook {
  if (toolAtMs === null || toolAtMs > now + clockToleranceMs) return hook;
  if (hook.status !== 'active' && hook.status !== 'pending') return hook;
  const written = parseTime(hook.last_activity) ?? 0;
  return toolAtMs > written ? { ...hook, last_activity: toIso(toolAtMs) } : hook;
}

const name = (hook: Hook | null): string => hook?.status ?? 'missing';
