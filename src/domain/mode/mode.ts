/**
 * How a mode plugs in. A mode is data: a row in `modes.ts` with a reducer, and a record (`record.ts`) whose `state` is its own.
 *
 * - `begin` makes the state of a new run; `reduce` says, for each `ModeEvent`, the state afterwards and the one `Step` that
 *   follows. Both are pure. Nothing else decides; `stop.ts` decides before whether the mode is heard at all.
 * - What the world looks like comes in as `ModeFacts`, gathered by `town/modes/look.ts`. A mode whose work lies elsewhere
 *   (the swarm's task store, the workers of ultrapilot) needs no reducer of its own: it is `counted`, and its service keeps
 *   `state.work` (`CountedWork`) and `state.phase` true with `changeMode` of `town/modes/change.ts`. While `open` is above
 *   zero the session is continued with `state.say`; at zero the run ends, failed if `failed` is above zero.
 * - A step is carried out by the town: said by the deacon's typing or by the stop's answer, run, reviewed, dispatched.
 *   A service starts a run by `startMode`, ends it by `endMode`, and never writes the file itself.
 */
import type { ModeName } from './names.ts';
import type { ModeCommand, ModeRecord } from './record.ts';

export type ModeState = ModeRecord['state'];

export interface Story {
  id: string;
  title: string;
  criteria: readonly string[];
}

/** `prd.json` as it is now. */
export type Stories =
  | { kind: 'absent' }
  | { kind: 'broken'; why: string }
  | { kind: 'ok'; total: number; done: number; next: Story | null };

export interface ModeFacts {
  /** `gt` as a word for a shell. */
  gt: string;
  stories: Stories;
  /** Commands that must succeed, from the configuration, in the order build, lint, test. */
  gates: readonly ModeCommand[];
  /** Who reviews: an agent, or null for the human. */
  reviewer: string | null;
  /** Beads ready to be run; beads of others in hand; the bead on the agent's own hook. */
  beads: { ready: number; busy: number; own: string | null };
  /** A fresh id, for a request the reducer may make. */
  requestId: string;
}

export interface CommandResult {
  name: string;
  /** Exit code; null when it was killed or could not be started. */
  code: number | null;
  tail: string;
}

export type ModeEvent =
  /** The agent rests. What now? */
  | { kind: 'idle' }
  /** `gt phase done`. */
  | { kind: 'phase_done'; output: string }
  /** The commands of a `run` step ended; the last result is the failure, if there was one. */
  | { kind: 'ran'; results: readonly CommandResult[] }
  /** A reviewer's word on the request it names. */
  | { kind: 'verdict'; requestId: string; approved: boolean; feedback: string };

export type Step =
  | { kind: 'say'; text: string }
  | { kind: 'run'; commands: readonly ModeCommand[] }
  | { kind: 'review'; requestId: string; question: string }
  | { kind: 'workers' }
  /** Something is outstanding; the session rests. */
  | { kind: 'wait'; why: string }
  | { kind: 'finish'; why: string }
  /** Ended without success: a human must look. */
  | { kind: 'fail'; why: string };

export interface Reduced {
  state: ModeState;
  step: Step;
}

export interface ModeOptions {
  /** pipeline: the stages' texts. */
  stages?: readonly string[];
  /** ultraqa: the command whose success is the goal. */
  command?: string;
  /** ultrawork, swarm, ultrapilot: agents at most. */
  workers?: number;
  /** ralph, autopilot: who reviews. */
  reviewer?: string | null;
  /** ultrapilot: the text of its plan, and the file it is from. */
  plan?: { text: string; fileName: string };
  /** Whatever a counted mode's service wants to keep from the start on. */
  state?: ModeState;
}

export interface Mode {
  name: ModeName;
  does: string;
  /** The state of a new run. Throws a usage error (exit 1) for options it cannot run with. */
  begin(goal: string, options: ModeOptions): ModeState;
  reduce(record: ModeRecord, event: ModeEvent, facts: ModeFacts): Reduced;
  /** For the row: phase and story. */
  show(record: ModeRecord): { phase: string | null; story: string | null };
}
