/** ultraqa: the town runs the goal's command and tells the agent how it failed, until it succeeds or nothing changes. */
import * as z from 'zod/mini';
import { usage } from '../errors.ts';
import type { Mode } from './mode.ts';
import { quotedLines, said } from './said.ts';
import { stateAs } from './state-of.ts';

const stateSchema = z.looseObject({
  command: z.string(),
  cycle: z.int(),
  max_cycles: z.int(),
  /** Failures so far, each without what differs from run to run. */
  failures: z.array(z.string()),
  running: z.boolean(),
});
type State = z.infer<typeof stateSchema>;

const empty: State = { command: '', cycle: 0, max_cycles: 5, failures: [], running: false };
const sameLimit = 3;

export const ultraqa: Mode = {
  name: 'ultraqa',
  does: 'runs a command and feeds its failure back until it succeeds',
  begin(_goal, { command = '' }) {
    if (command.trim() === '') {
      throw usage(
        'ultraqa needs a command that tells whether the goal is met',
        'give --command, or modes.test in gastown.yaml',
      );
    }
    return { ...empty, command };
  },
  reduce({ state: kept, goal }, event) {
    const state = stateAs(stateSchema, kept, empty);
    if (event.kind !== 'ran') {
      if (state.running) return { state, step: { kind: 'wait', why: `${state.command} runs` } };
      return {
        state: { ...state, running: true },
        step: { kind: 'run', commands: [{ name: 'goal', command: state.command }] },
      };
    }
    const failure = event.results.find(({ code }) => code !== 0);
    const cycle = state.cycle + 1;
    if (failure === undefined) {
      return { state: { ...state, cycle, running: false }, step: { kind: 'finish', why: `met in cycle ${cycle}` } };
    }
    const failures = [...state.failures, failureSignature(failure.tail)];
    const next = { ...state, cycle, failures, running: false };
    const last = failures.slice(-sameLimit);
    if (last.length === sameLimit && new Set(last).size === 1) {
      return { state: next, step: { kind: 'fail', why: `the same failure ${sameLimit} times` } };
    }
    if (cycle >= state.max_cycles) {
      return { state: next, step: { kind: 'fail', why: `not met in ${cycle} cycles` } };
    }
    const text = said(
      'ultraqa',
      `cycle ${cycle} of ${state.max_cycles}: ${goal === '' ? state.command : goal}: failed (exit ${failure.code ?? 'none'}). The end of the output:`,
      quotedLines(failure.tail),
      'Mend the cause and end your turn; the command is run again then.',
    );
    return { state: next, step: { kind: 'say', text } };
  },
  show({ state: kept }) {
    const { cycle, max_cycles, command } = stateAs(stateSchema, kept, empty);
    return { phase: `cycle ${Math.min(cycle + 1, max_cycles)}/${max_cycles}`, story: command };
  },
};

/** A failure without times, durations, addresses and line numbers: two of the same cause read the same. */
export const failureSignature = (tail: string): string =>
  tail
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '<time>')
    .replace(/0x[0-9a-f]+/gi, '<address>')
    .replace(/\d+/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(-2_000);
