import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Actor,
  type Hook,
  type HookChange,
  type HookStatus,
  hookSchema,
  transition,
} from '../../src/domain/hook.ts';
import { toIso } from '../../src/domain/time.ts';

const now = Date.parse('2026-03-05T12:00:00Z');
const hookOf = (status: HookStatus): Hook => ({
  agent_id: 'a',
  status,
  work_item: status === 'empty' ? null : { bead_id: 'gt-a', title: 't', assigned_at: toIso(0) },
  last_activity: toIso(0),
  x_note: 'kept',
});
const owner: Actor = { kind: 'agent', agent_id: 'a' };
const changes: Record<string, HookChange> = {
  set: { op: 'set', bead_id: 'gt-b', title: 'u' },
  activate: { op: 'activate' },
  touch: { op: 'touch' },
  complete: { op: 'complete' },
  clear: { op: 'clear' },
  force: { op: 'clear', force: { reason: 'r' } },
};
/** DESIGN section 5, spelled out: from each state, what each operation makes of it. */
const table: Record<HookStatus | 'missing', Record<keyof typeof changes, HookStatus | 'same' | 'conflict'>> = {
  missing: { set: 'pending', activate: 'conflict', touch: 'same', complete: 'conflict', clear: 'same', force: 'same' },
  empty: { set: 'pending', activate: 'conflict', touch: 'same', complete: 'conflict', clear: 'same', force: 'same' },
  pending: {
    set: 'conflict',
    activate: 'active',
    touch: 'same',
    complete: 'conflict',
    clear: 'conflict',
    force: 'empty',
  },
  active: {
    set: 'conflict',
    activate: 'conflict',
    touch: 'active',
    complete: 'completed',
    clear: 'conflict',
    force: 'empty',
  },
  completed: {
    set: 'conflict',
    activate: 'conflict',
    touch: 'same',
    complete: 'conflict',
    clear: 'empty',
    force: 'empty',
  },
};
const mayBy = (change: HookChange): Actor[] =>
  change.op === 'set' || change.op === 'clear' ? [{ kind: 'mayor' }, { kind: 'sling' }, { kind: 'operator' }] : [owner];

describe('the table of hook transitions', () => {
  const rows = Object.entries(table).flatMap(([from, row]) =>
    Object.entries(row).map(([op, to]) => [from, op, to] as const),
  );
  test.each(rows)('%s, %s → %s', (from, op, to) => {
    const current = from === 'missing' ? null : hookOf(from as HookStatus);
    const change = changes[op];
    if (!change) throw new Error(op);
    for (const actor of mayBy(change)) {
      const outcome = transition(current, 'a', change, actor, now);
      if (to === 'conflict') expect(outcome.kind).toBe('conflict');
      else if (to === 'same') expect(outcome).toEqual({ kind: 'unchanged' });
      else expect(outcome).toMatchObject({ kind: 'changed', hook: { status: to, last_activity: toIso(now) } });
      if (outcome.kind === 'changed') {
        expect(hookSchema.safeParse(outcome.hook).success).toBe(true);
        if (current) expect(outcome.hook['x_note']).toBe('kept');
      }
    }
  });

  test('only the owner activates, touches and completes; no agent sets or clears', () => {
    const others: Actor[] = [
      { kind: 'agent', agent_id: 'b' },
      { kind: 'mayor' },
      { kind: 'operator' },
      { kind: 'sling' },
    ];
    for (const op of ['activate', 'touch', 'complete'] as const) {
      for (const actor of others) expect(transition(hookOf('active'), 'a', { op }, actor, now).kind).toBe('conflict');
    }
    for (const change of [changes['set'], changes['clear'], changes['force']]) {
      if (change) expect(transition(hookOf('completed'), 'a', change, owner, now).kind).toBe('conflict');
    }
  });

  test('a conflict names the state and the bead, and says what to do', () => {
    const set = changes['set'];
    expect(set && transition(hookOf('active'), 'a', set, { kind: 'sling' }, now)).toEqual({
      kind: 'conflict',
      message: 'a already has an active hook (gt-a)',
      next: 'clear it first: gastown clear a',
    });
  });
});

test('for any sequence of changes: a valid hook at every step, and only steps of the life cycle', () => {
  const step = fc.tuple(
    fc.constantFrom(...Object.values(changes)),
    fc.constantFrom<Actor>(owner, { kind: 'agent', agent_id: 'b' }, { kind: 'sling' }, { kind: 'operator' }),
  );
  const forward = new Set([
    'empty>pending',
    'pending>active',
    'active>active',
    'active>completed',
    'completed>empty',
    'pending>empty',
    'active>empty',
  ]);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let hook: Hook | null = null;
      for (const [index, [change, actor]] of steps.entries()) {
        const outcome = transition(hook, 'a', change, actor, now + index);
        if (outcome.kind !== 'changed') continue;
        const before: string = hook?.status ?? 'empty';
        if (!hookSchema.safeParse(outcome.hook).success) return false;
        if (!forward.has(`${before}>${outcome.hook.status}`)) return false;
        hook = outcome.hook;
      }
      return true;
    }),
  );
});
