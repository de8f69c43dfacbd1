/** pipeline: one stage after the other; each stage's output is the next one's input, with the town's gates between. */
import * as z from 'zod/mini';
import { usage } from '../errors.ts';
import { storedText } from '../prose.ts';
import type { Mode, ModeFacts, Step } from './mode.ts';
import { quotedLines, said } from './said.ts';
import { stateAs } from './state-of.ts';

const stateSchema = z.looseObject({
  stages: z.array(z.object({ text: z.string(), output: z.nullable(z.string()) })),
  stage: z.int(),
  gating: z.boolean(),
});
type State = z.infer<typeof stateSchema>;

const empty: State = { stages: [], stage: 0, gating: false };

export const pipeline: Mode = {
  name: 'pipeline',
  does: 'stages in order, a gate between them, each one’s output the next one’s input',
  begin(_goal, { stages = [] }) {
    const texts = stages.map((text) => text.trim()).filter((text) => text !== '');
    if (texts.length === 0) throw usage('a pipeline needs stages', 'name each with --stage "what it does"');
    return { ...empty, stages: texts.map((text) => ({ text, output: null })) };
  },
  reduce({ state: kept }, event, facts) {
    const state = stateAs(stateSchema, kept, empty);
    if (event.kind === 'ran' && state.gating) {
      const failure = event.results.find(({ code }) => code !== 0);
      if (failure === undefined) return advance({ ...state, gating: false }, facts);
      const text = said(
        'pipeline',
        `${failure.name} failed (exit ${failure.code ?? 'none'}), so stage ${state.stage + 1} goes on. The end of its output:`,
        quotedLines(failure.tail),
        `Mend it, then: ${facts.gt} phase done "what the next stage needs"`,
      );
      return { state: { ...state, gating: false }, step: { kind: 'say', text } };
    }
    if (state.gating) return { state, step: { kind: 'wait', why: 'the gates run' } };
    if (event.kind !== 'phase_done') return { state, step: stageStep(state, facts) };
    const output = storedText(event.output);
    const stages = state.stages.map((stage, at) => (at === state.stage ? { ...stage, output } : stage));
    const kept2 = { ...state, stages };
    if (facts.gates.length === 0) return advance(kept2, facts);
    return { state: { ...kept2, gating: true }, step: { kind: 'run', commands: facts.gates } };
  },
  show({ state: kept }) {
    const { stage, stages, gating } = stateAs(stateSchema, kept, empty);
    const place = `stage ${Math.min(stage + 1, stages.length)}/${stages.length}`;
    return { phase: gating ? `${place}: gates` : place, story: stages[stage]?.text ?? null };
  },
};

function advance(state: State, facts: ModeFacts): { state: State; step: Step } {
  const moved = { ...state, stage: state.stage + 1 };
  return { state: moved, step: stageStep(moved, facts) };
}

function stageStep(state: State, { gt }: ModeFacts): Step {
  const stage = state.stages[state.stage];
  if (stage === undefined) return { kind: 'finish', why: `all ${state.stages.length} stages are done` };
  const before = state.stages[state.stage - 1]?.output ?? null;
  const input = before === null ? [] : ['What the stage before hands over:', quotedLines(before, 200)];
  return {
    kind: 'say',
    text: said(
      'pipeline',
      `stage ${state.stage + 1} of ${state.stages.length}: ${stage.text}`,
      ...input,
      `When it is done: ${gt} phase done "what the next stage needs to know"`,
    ),
  };
}
