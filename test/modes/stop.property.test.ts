/** The stop decision against a reference that is a data file of its own, and runs that never pass their maximum. */
import { describe, expect, it } from 'vitest';
import { applyStep, newRun } from '../../src/domain/mode/apply.ts';
import type { ModeEvent, ModeFacts, Stories } from '../../src/domain/mode/mode.ts';
import { modes } from '../../src/domain/mode/modes.ts';
import { hardMaximum, modeNames } from '../../src/domain/mode/names.ts';
import type { ModeRecord } from '../../src/domain/mode/record.ts';
import { type Candidate, decideStop, type StopInput, staleMs } from '../../src/domain/mode/stop.ts';
import { byTable, tableLimits } from './stop-table.ts';

/** Repeatable: the same cases in every run. */
function seeded(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  return { below, pick, chance: (share: number): boolean => next() < share };
}

const now = Date.parse('2026-05-01T12:00:00.000Z');
const sessions = ['s-own', 's-other', 's-own2'] as const;

function randomStop(random: ReturnType<typeof seeded>): StopInput {
  const { pick, below, chance } = random;
  const candidate = (): Candidate => {
    const maxIterations = pick([1, 5, 10, 100, 500, 5_000]);
    return {
      mode: pick(modeNames),
      sessionId: chance(0.8) ? 's-own' : pick(sessions),
      active: chance(0.85),
      cancelled: chance(0.1),
      sameRun: chance(0.6),
      checkedAt: chance(0.08) ? null : now - pick([0, 1_000, staleMs - 1, staleMs, staleMs + 1, 5 * staleMs, -1_000]),
      iteration: chance(0.4) ? Math.max(0, maxIterations - 2 + below(4)) : below(600),
      maxIterations,
      still: below(5),
      wish: pick(['say', 'say', 'say', 'run', 'review', 'workers', 'wait', 'finish', 'fail']),
    };
  };
  return {
    sessionId: 's-own',
    now,
    cause: chance(0.75)
      ? null
      : pick(['context_limit', 'user_abort', 'rate_limit', 'authentication', 'turn_failed'] as const),
    cancelledAt: chance(0.8) ? null : now - pick([0, 29_999, 30_000, 30_001, -5_000, 3_600_000]),
    reentrant: chance(0.2),
    way: pick(['type', 'answer'] as const),
    ownWork: chance(0.15),
    pane: pick(['alive', 'alive', 'unknown', 'gone'] as const),
    modes: Array.from({ length: below(5) }, candidate),
  };
}

describe('seed 004, stop contract: bypasses first, then the priority of the modes', () => {
  it('100,000 random stops are decided as the table says, and none is sent on past its maximum', () => {
    const random = seeded(4);
    const seen = new Map<string, number>();
    const wrong: unknown[] = [];
    for (let round = 0; round < 100_000; round += 1) {
      const input = randomStop(random);
      const decision = decideStop(input);
      if (JSON.stringify(decision) !== JSON.stringify(byTable(input)))
        wrong.push({ input, decision, table: byTable(input) });
      const word = 'why' in decision ? `${decision.do} ${decision.why}` : decision.do;
      seen.set(word, (seen.get(word) ?? 0) + 1);
      if (decision.do === 'say' || decision.do === 'run') {
        const heard = input.modes.filter(({ mode }) => mode === decision.mode);
        expect(
          heard.some(({ iteration, maxIterations }) => iteration < Math.min(maxIterations, tableLimits.hard_maximum)),
        ).toBe(true);
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    // Every row of the table was reached, many times.
    expect([...seen.values()].filter((count) => count > 100).length).toBe(seen.size);
    expect(seen.size).toBe(18);
  });

  it('2,000 random histories of whole runs: continuations never exceed the maximum, an ended run stays ended', () => {
    const random = seeded(44);
    for (let round = 0; round < 2_000; round += 1) {
      const run = liveRun(random);
      expect(run.said).toBeLessThanOrEqual(Math.min(run.record.max_iterations, hardMaximum));
      expect(run.record.iteration).toBeLessThanOrEqual(Math.min(run.record.max_iterations, hardMaximum));
    }
  });
});

function liveRun(random: ReturnType<typeof seeded>): { record: ModeRecord; said: number } {
  const { pick, below, chance } = random;
  const mode = pick(modeNames);
  const state = modes[mode].begin('the goal', { stages: ['a', 'b', 'c'], command: 'make check', workers: 2 });
  let record = newRun(
    {
      mode,
      session_id: 's-own',
      agent_id: 'polecat-alpha',
      instance_id: null,
      run_id: 'run-1',
      linked_to: null,
      goal: 'the goal',
      max_iterations: pick([1, 3, 20]),
      state,
    },
    now,
  );
  let said = 0;
  for (let turn = 0; turn < 60 && record.active; turn += 1) {
    const requestId = `rv-${turn}`;
    const facts: ModeFacts = {
      gt: 'gt',
      gates: chance(0.5) ? [{ name: 'build', command: 'make' }] : [],
      reviewer: null,
      requestId,
      stories: randomStories(random),
      beads: { ready: below(3), busy: below(3), own: chance(0.5) ? 'gt-a' : null },
    };
    const event: ModeEvent = pick([
      { kind: 'idle' },
      { kind: 'idle' },
      { kind: 'phase_done', output: 'what came of it' },
      { kind: 'ran', results: [{ name: 'build', code: below(2), tail: 'FAIL at line 7' }] },
      {
        kind: 'verdict',
        requestId: record.next?.kind === 'review' ? record.next.request_id : 'rv-none',
        approved: chance(0.3),
        feedback: 'not yet',
      },
    ] as const satisfies readonly ModeEvent[]);
    const reduced = modes[mode].reduce(record, event, facts);
    const before = record.iteration;
    record = applyStep(record, reduced, pick(['type', 'answer'] as const), now + turn);
    if (record.iteration > before) said += 1;
  }
  return { record, said };
}

function randomStories({ pick, below }: ReturnType<typeof seeded>): Stories {
  const done = below(4);
  return pick<Stories>([
    { kind: 'absent' },
    { kind: 'broken', why: 'not JSON' },
    { kind: 'ok', total: 3, done, next: done >= 3 ? null : { id: `US-00${done + 1}`, title: 'a story', criteria: [] } },
  ]);
}
