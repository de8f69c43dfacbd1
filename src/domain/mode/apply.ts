/** What a step makes of a run's record. Every continuation passes here, so none passes the maximum. */
import { toIso } from '../time.ts';
import type { ModeState, Reduced, Step } from './mode.ts';
import { hardMaximum, type ModeName } from './names.ts';
import type { ModeNext, ModeRecord } from './record.ts';

/**
 * `type`: the town types it, so it is owed. `answer`: it is said with this very write. `call`: the same, to an agent that
 * called by itself while the town is there for the rest.
 */
export type Way = 'type' | 'answer' | 'call';

export function applyStep(record: ModeRecord, { state, step }: Reduced, way: Way, now: number): ModeRecord {
  const at = toIso(now);
  const base: ModeRecord = { ...record, state, last_checked_at: at };
  switch (step.kind) {
    case 'wait':
      return base;
    case 'finish':
      return ended(base, { kind: 'done', why: step.why }, now);
    case 'fail':
      return ended(base, { kind: 'failed', why: step.why }, now);
    case 'say':
      if (isUsedUp(base)) return usedUp(base, now);
      return way !== 'type'
        ? { ...continued(base), continued_at: at, next: null }
        : { ...continued(base), next: { kind: 'say', text: step.text, at, delivery: null } };
    default:
      // Where nobody types, a session is told to have the commands run: that is a continuation like any other.
      if (step.kind !== 'run' || way !== 'answer') return { ...base, held: null, next: owed(step, base, at) };
      if (isUsedUp(base)) return usedUp(base, now);
      return { ...continued(base), continued_at: at, next: owed(step, base, at) };
  }
}

const continued = (record: ModeRecord): ModeRecord => ({ ...record, iteration: record.iteration + 1, held: null });
const isUsedUp = ({ iteration, max_iterations: most }: ModeRecord): boolean => iteration >= Math.min(most, hardMaximum);
const usedUp = (record: ModeRecord, now: number): ModeRecord =>
  ended(record, { kind: 'failed', why: boundText('hard_maximum', record) }, now);

function owed(
  step: Extract<Step, { kind: 'run' | 'review' | 'workers' }>,
  { state }: ModeRecord,
  at: string,
): ModeNext {
  switch (step.kind) {
    case 'run':
      return { kind: 'run', commands: [...step.commands], at, running: false };
    case 'review':
      return {
        kind: 'review',
        request_id: step.requestId,
        reviewer: reviewerIn(state),
        question: step.question,
        at,
        told: false,
      };
    case 'workers':
      return { kind: 'workers', at };
  }
}

function reviewerIn(state: ModeState): string | null {
  const { review } = state;
  const reviewer =
    typeof review === 'object' && review !== null ? (review as Record<string, unknown>)['reviewer'] : null;
  return typeof reviewer === 'string' ? reviewer : null;
}

export const ended = (record: ModeRecord, end: { kind: 'done' | 'failed'; why: string }, now: number): ModeRecord => ({
  ...record,
  active: false,
  next: null,
  ended: { ...end, at: toIso(now), told: false },
});

export const boundText = (why: 'no_progress' | 'hard_maximum', { max_iterations, still }: ModeRecord): string =>
  why === 'hard_maximum'
    ? `${Math.min(max_iterations, hardMaximum)} continuations are used up`
    : `${still} turns in a row without a tool`;

/** The record of a run that begins. */
export function newRun(
  run: {
    mode: ModeName;
    session_id: string;
    agent_id: string;
    instance_id: string | null;
    run_id: string;
    linked_to: string | null;
    goal: string;
    max_iterations: number;
    state: ModeState;
  },
  now: number,
): ModeRecord {
  const at = toIso(now);
  return {
    ...run,
    active: true,
    started_at: at,
    last_checked_at: at,
    iteration: 0,
    still: 0,
    continued_at: null,
    next: null,
    held: null,
    ended: null,
  };
}
