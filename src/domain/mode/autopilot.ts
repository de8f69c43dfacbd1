/** autopilot: from an idea to checked work, phase by phase. A phase ends by `gt phase done` and by the town's own gates. */
import * as z from 'zod/mini';
import type { Mode, ModeEvent, ModeFacts, Reduced, Step } from './mode.ts';
import { gatesNamed } from './phases.ts';
import { advanceReview, noReview, openReview, reviewSchema } from './review.ts';
import { quoted, quotedLines, said } from './said.ts';
import { stateAs } from './state-of.ts';

interface Phase {
  name: string;
  task: string;
  /** Gates by name. */
  gates: readonly string[];
}

const phases: readonly Phase[] = [
  {
    name: 'expansion',
    task: 'Write down what is wanted, what is not, and how one will see that it works, in .autopilot/spec.md.',
    gates: [],
  },
  {
    name: 'planning',
    task: 'Write the plan for it in .autopilot/plan.md: small steps, the files of each, in order.',
    gates: [],
  },
  { name: 'execution', task: 'Carry the plan out, step by step.', gates: ['build'] },
  { name: 'qa', task: 'Build, lint and test it, and mend what fails.', gates: ['build', 'lint', 'test'] },
  { name: 'validation', task: 'Go through the specification once more and mend what is missing.', gates: [] },
];

const stateSchema = z.looseObject({
  phase: z.int(),
  /** The gates of the phase run. */
  gating: z.boolean(),
  review: reviewSchema,
});
type State = z.infer<typeof stateSchema>;

const fresh = (reviewer: string | null): State => ({ phase: 0, gating: false, review: noReview(reviewer) });

export const autopilot: Mode = {
  name: 'autopilot',
  does: 'from an idea to checked work: expansion, planning, execution, qa, validation',
  begin: (_goal, { reviewer = null }) => fresh(reviewer),
  reduce(record, event, facts) {
    const state = stateAs(stateSchema, record.state, fresh(facts.reviewer));
    return ofReview(state, record.goal, event, facts) ?? ofPhase(state, record.goal, event, facts);
  },
  show({ state }) {
    const { phase, gating, review } = stateAs(stateSchema, state, fresh(null));
    const name = phases[phase]?.name ?? 'complete';
    return {
      phase: gating || review.stage === 'gates' ? `${name}: gates` : name,
      story: `${phase + 1}/${phases.length}`,
    };
  },
};

const ask = (goal: string): string =>
  `Is this finished and right: ${quoted(goal)}? What was wanted is in .autopilot/spec.md.`;

function ofReview(state: State, goal: string, event: ModeEvent, facts: ModeFacts): Reduced | null {
  const advanced = advanceReview('autopilot', state.review, event, facts, ask(goal));
  if (advanced !== null) return { state: { ...state, review: advanced.review }, step: advanced.step };
  if (state.review.stage === 'none') return null;
  return { state, step: { kind: 'wait', why: state.review.stage === 'gates' ? 'the gates run' : 'the review' } };
}

function ofPhase(state: State, goal: string, event: ModeEvent, facts: ModeFacts): Reduced {
  const phase = phases[state.phase];
  if (phase === undefined) return { state, step: { kind: 'finish', why: 'all phases are done' } };
  if (event.kind === 'ran' && state.gating) {
    const failure = event.results.find(({ code }) => code !== 0);
    if (failure === undefined) return advance({ ...state, gating: false }, goal, facts);
    const text = said(
      'autopilot',
      `${failure.name} failed (exit ${failure.code ?? 'none'}), so ${phase.name} goes on. The end of its output:`,
      quotedLines(failure.tail),
      `Mend it, then: ${facts.gt} phase done`,
    );
    return { state: { ...state, gating: false }, step: { kind: 'say', text } };
  }
  if (state.gating) return { state, step: { kind: 'wait', why: 'the gates run' } };
  if (event.kind !== 'phase_done') return { state, step: phaseText(phase, goal, facts) };
  if (state.phase === phases.length - 1) {
    const opened = openReview(state.review, facts, ask(goal));
    return { state: { ...state, review: opened.review }, step: opened.step };
  }
  const commands = gatesNamed(facts, phase.gates);
  if (commands.length > 0) return { state: { ...state, gating: true }, step: { kind: 'run', commands } };
  return advance(state, goal, facts);
}

function advance(state: State, goal: string, facts: ModeFacts): Reduced {
  const next = phases[state.phase + 1];
  const moved = { ...state, phase: state.phase + 1 };
  return next === undefined
    ? { state: moved, step: { kind: 'finish', why: 'all phases are done' } }
    : { state: moved, step: phaseText(next, goal, facts) };
}

const phaseText = (phase: Phase, goal: string, { gt }: ModeFacts): Step => ({
  kind: 'say',
  text: said(
    'autopilot',
    `phase ${phase.name}. The goal: ${quoted(goal, 1_000)}`,
    phase.task,
    `When this phase is done, and only then: ${gt} phase done`,
  ),
});
