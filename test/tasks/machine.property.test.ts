/** The lease machine against what must hold whatever happens in whatever order, and the store against the machine. */
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  byTurn,
  failureLimit,
  isFinished,
  isLeaseOver,
  lapseLimit,
  parseTaskId,
  stepTask,
  type Task,
  type TaskEvent,
  taskId,
} from '../../src/domain/task.ts';
import { openTasks } from '../../src/store/tasks/tasks.ts';
import { memoryScratch } from '../store/scratch.ts';

const fresh: Task = {
  seq: 1,
  title: 'Mend the roof',
  description: '',
  priority: 'P2',
  status: 'pending',
  run_id: null,
  holder: null,
  instance_id: null,
  token: 0,
  claimed_at: null,
  renewed_at: null,
  lease_until: null,
  lapses: 0,
  failures: 0,
  result: null,
  error: null,
  created_at: 0,
  finished_at: null,
};

const agents = ['alpha', 'bravo', 'charlie'] as const;
type Move = { agent: (typeof agents)[number]; kind: TaskEvent['kind']; after: number; old: boolean };
const moves = fc.array(
  fc.record<Move>({
    agent: fc.constantFrom(...agents),
    kind: fc.constantFrom('claim', 'claim', 'renew', 'finish', 'fail', 'release', 'lapse'),
    after: fc.integer({ min: 0, max: 400 }),
    /** Shows an earlier token of its own, as a holder does that slept through its lease. */
    old: fc.boolean(),
  }),
  { maxLength: 60 },
);
const leaseMs = 300;

/** Plays the moves as callers would: each remembers the tokens it was given. */
function play(
  list: readonly Move[],
  seen: (before: Task, event: TaskEvent, after: ReturnType<typeof stepTask>, now: number) => void,
): Task {
  const tokens = new Map<string, number[]>();
  let task = fresh;
  let fence = 0;
  let now = 1_000;
  for (const { agent, kind, after, old } of list) {
    now += after;
    if (task.status === 'claimed' && isLeaseOver(task, now)) {
      const event: TaskEvent = { kind: 'lapse', why: 'ran out' };
      const next = stepTask(task, event, now);
      seen(task, event, next, now);
      if (typeof next !== 'string') task = next;
    }
    fence += 1;
    const own = tokens.get(agent) ?? [];
    const token = (old ? own[0] : own.at(-1)) ?? -1;
    const event: TaskEvent =
      kind === 'claim'
        ? { kind, holder: agent, instance_id: null, token: fence, leaseMs }
        : kind === 'lapse'
          ? { kind, why: 'gone' }
          : kind === 'renew'
            ? { kind, token, leaseMs }
            : kind === 'finish'
              ? { kind, token, result: 'r' }
              : kind === 'fail'
                ? { kind, token, error: 'e' }
                : { kind, token };
    const next = stepTask(task, event, now);
    seen(task, event, next, now);
    if (typeof next === 'string') continue;
    if (event.kind === 'claim') tokens.set(agent, [...own, event.token]);
    task = next;
  }
  return task;
}

describe('a task (seed 004: atomic claim and release, five minutes)', () => {
  it('is held by one at a time, and only the token of the latest claim moves it, and only while the lease lives', () => {
    fc.assert(
      fc.property(moves, (list) => {
        play(list, (before, event, after, now) => {
          if (typeof after === 'string') return;
          if (event.kind === 'claim') expect(before.status).toBe('pending');
          else expect(before.status).toBe('claimed');
          if (event.kind === 'claim' || event.kind === 'lapse') return;
          expect(event.token).toBe(before.token);
          expect(isLeaseOver(before, now)).toBe(false);
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps its lease exactly while claimed, its token only grows, and what is over stays over', () => {
    fc.assert(
      fc.property(moves, (list) => {
        play(list, (before, _event, after) => {
          if (typeof after === 'string') return;
          expect(after.lease_until !== null).toBe(after.status === 'claimed');
          expect(after.token).toBeGreaterThanOrEqual(before.token);
          expect(['pending', 'claimed']).toContain(before.status);
          expect(after.finished_at !== null).toBe(after.status === 'done' || after.status === 'failed');
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends: after so many failures or vanished holders it is failed for good', () => {
    fc.assert(
      fc.property(moves, (list) => {
        const end = play(list, () => {});
        expect(end.failures).toBeLessThanOrEqual(failureLimit);
        expect(end.lapses).toBeLessThanOrEqual(lapseLimit);
        if (end.failures === failureLimit || end.lapses === lapseLimit) expect(end.status).toBe('failed');
      }),
      { numRuns: 2_000 },
    );
  });

  it('a clock that was set back does not make a lease longer', () => {
    const held = stepTask(fresh, { kind: 'claim', holder: 'alpha', instance_id: null, token: 1, leaseMs }, 10_000_000);
    if (typeof held === 'string') throw new Error(held);
    expect(isLeaseOver(held, 10_000_000 + leaseMs - 1)).toBe(false);
    expect(isLeaseOver(held, 10_000_000 + leaseMs)).toBe(true);
    expect(isLeaseOver(held, 1_000_000)).toBe(true);
  });

  it('has a name that is read back, and nothing else is one', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 10 ** 12 }), (seq) => parseTaskId(taskId({ seq })) === seq));
    for (const text of ['', 't-0', 't-01', 't-', 'T-1', 't-1 ', 't-1.5', 't--1', `t-${'9'.repeat(20)}`, undefined]) {
      expect(() => parseTaskId(text)).toThrow(expect.objectContaining({ exit: 1 }));
    }
  });
});

describe('the store follows the machine', () => {
  const storeMoves = fc.array(
    fc.record({
      agent: fc.constantFrom(...agents),
      kind: fc.constantFrom('claim', 'claim', 'renew', 'finish', 'fail', 'release', 'claim-one') as fc.Arbitrary<
        'claim' | 'renew' | 'finish' | 'fail' | 'release' | 'claim-one'
      >,
      seq: fc.integer({ min: 1, max: 4 }),
      after: fc.integer({ min: 0, max: 250 }),
      old: fc.boolean(),
    }),
    { maxLength: 40 },
  );

  it('any sequence of calls leaves the tasks that the machine alone would leave', async () => {
    await fc.assert(
      fc.asyncProperty(storeMoves, async (list) => {
        const stateDir = memoryScratch();
        const store = await openTasks({ stateDir, path: join(stateDir, 'swarm.db') });
        if (store === null) throw new Error('not made');
        let now = 1_000;
        store.add(
          [1, 2, 3].map((n) => ({ title: `task ${n}`, description: '', priority: n === 3 ? 'P1' : 'P2' })),
          null,
          now,
        );
        const model = new Map(store.list(null, now).map((task) => [task.seq, task]));
        const tokens = new Map<string, number[]>();
        let fence = 0;
        const apply = (seq: number, event: TaskEvent): boolean => {
          const task = model.get(seq);
          const next = task === undefined ? 'absent' : stepTask(task, event, now);
          if (typeof next === 'string') return false;
          model.set(seq, next);
          return true;
        };
        for (const { agent, kind, seq, after, old } of list) {
          now += after;
          for (const task of model.values()) {
            if (task.status === 'claimed' && isLeaseOver(task, now))
              apply(task.seq, { kind: 'lapse', why: `the lease of ${task.holder} ran out` });
          }
          if (kind === 'claim' || kind === 'claim-one') {
            const got = store.claim(
              { holder: agent, instance_id: null, leaseMs, ...(kind === 'claim-one' ? { seq } : {}) },
              now,
            );
            const turn = [...model.values()].filter(({ status }) => status === 'pending').sort(byTurn(agent))[0];
            const wanted = kind === 'claim' ? turn?.seq : seq;
            if ('refused' in got) {
              const known = wanted === undefined ? undefined : model.get(wanted);
              expect(known === undefined || known.status !== 'pending').toBe(true);
              // A refused claim may have drawn a number: it is never given to anybody.
              if (known !== undefined) fence += 1;
              continue;
            }
            expect(got.task.seq).toBe(wanted);
            expect(got.task.token).toBeGreaterThan(fence);
            fence = got.task.token;
            expect(
              apply(got.task.seq, { kind: 'claim', holder: agent, instance_id: null, token: fence, leaseMs }),
            ).toBe(true);
            const key = `${agent} ${got.task.seq}`;
            tokens.set(key, [...(tokens.get(key) ?? []), fence]);
            continue;
          }
          const own = tokens.get(`${agent} ${seq}`) ?? [];
          const token = (old ? own[0] : own.at(-1)) ?? -1;
          const event =
            kind === 'renew'
              ? ({ kind, token, leaseMs } as const)
              : kind === 'finish'
                ? ({ kind, token, result: 'r' } as const)
                : kind === 'fail'
                  ? ({ kind, token, error: 'e' } as const)
                  : ({ kind, token } as const);
          expect('refused' in store.change(seq, event, now)).toBe(!apply(seq, event));
        }
        expect(store.list(null, now)).toEqual(
          [...model.values()].map((task) => {
            const isOver = task.status === 'claimed' && isLeaseOver(task, now);
            const next = isOver
              ? stepTask(task, { kind: 'lapse', why: `the lease of ${task.holder} ran out` }, now)
              : task;
            return next;
          }),
        );
        const counts = store.counts(null, now);
        expect(isFinished(counts)).toBe(
          [...store.list(null, now)].every(({ status }) => status === 'done' || status === 'failed'),
        );
        store.close();
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
