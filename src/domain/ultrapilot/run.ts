/** An ultrapilot as it is kept in its modes: the plan and what became of each part; what each member is told. Pure. */
import * as z from 'zod/mini';
import type { BeadStatus } from '../bead.ts';
import { countedWorkSchema } from '../mode/counted.ts';
import type { ModeState } from '../mode/mode.ts';
import { quoted, said } from '../mode/said.ts';
import { cleanLine } from '../text.ts';
import type { Workers } from './file-sets.ts';
import { type Plan, planSchema } from './plan-schema.ts';

/** `slung`: it was put on its agent's hook once; whoever takes it off again decides what becomes of it. */
const partSchema = z.looseObject({
  agent: z.string(),
  bead_id: z.string(),
  slung: z.boolean(),
  /** Of its bead, when it was last looked at. */
  status: z.enum(['waiting', 'working', 'done', 'failed']),
  /** The town's folder in the agent's tree, and the top of that tree. */
  tree: z.string(),
  top: z.string(),
});
export type Part = z.infer<typeof partSchema>;

export const joinResults = [
  'merged',
  'nothing',
  'left_out',
  'conflict',
  'outside',
  'uncommitted',
  'unfinished',
  'open',
  'failed',
] as const;

const joinedPartSchema = z.looseObject({
  agent: z.string(),
  result: z.enum(joinResults),
  /** What was looked at; null where there is nothing. */
  commit: z.nullable(z.string()),
  /** Files in conflict with what was joined before. */
  conflicts: z.array(z.string()),
  /** Files it changed that are another's. */
  outside: z.array(z.looseObject({ file: z.string(), owner: z.string() })),
  /** Paths in its tree that are not committed; they stay there. */
  left: z.array(z.string()),
});
export type JoinedPart = z.infer<typeof joinedPartSchema>;

const joinedSchema = z.looseObject({
  branch: z.string(),
  /** Null once it is gone: when all is joined, the branch has all of it. */
  tree: z.nullable(z.string()),
  commit: z.string(),
  parts: z.array(joinedPartSchema),
});
export type Joined = z.infer<typeof joinedSchema>;

/** `state` of a joint run. */
export const ultrapilotStateSchema = z.extend(countedWorkSchema, {
  stage: z.enum(['plan', 'work', 'join']),
  /** As its author wrote it, comments and all. */
  text: z.string(),
  /** Null while `text` is no plan; `problem` says why. */
  plan: z.nullable(planSchema),
  problem: z.nullable(z.string()),
  /** The commit on which all parts began. */
  base: z.nullable(z.string()),
  parts: z.array(partSchema),
  joined: z.nullable(joinedSchema),
});
export type UltrapilotState = z.infer<typeof ultrapilotStateSchema>;

export const isOver = ({ status }: Pick<Part, 'status'>): boolean => status === 'done' || status === 'failed';
export const isSettled = ({ result }: Pick<JoinedPart, 'result'>): boolean =>
  result === 'merged' || result === 'nothing' || result === 'left_out';

/** A run whose plan waits for its word. */
export function plannedState(text: string, plan: Plan | null, problem: string | null): UltrapilotState {
  return counted({
    ...{ stage: 'plan', text, plan, problem, base: null, parts: [], joined: null },
    ...{ phase: null, say: null, work: { total: 0, open: 0, done: 0, failed: 0 } },
  });
}

/** With phase and counts as its parts and what was joined make them. */
export function counted(state: UltrapilotState): UltrapilotState {
  const total = state.parts.length;
  const count = (status: Part['status']): number => state.parts.filter((part) => part.status === status).length;
  const held = state.joined?.parts.filter((part) => !isSettled(part)).length ?? 0;
  const phases = {
    plan: state.plan === null ? 'is planned' : 'plan waits for your word',
    work: `${count('done')} of ${total} parts done`,
    join: held === 0 ? 'parts are joined' : `${held} of ${total} parts held back`,
  };
  const isJoined = state.joined !== null && held === 0;
  return {
    ...state,
    phase: phases[state.stage],
    work: { total, open: isJoined ? 0 : total, done: isJoined ? total : 0, failed: 0 },
  };
}

export const statusOfPart = (bead: BeadStatus | null): Part['status'] =>
  bead === 'done' || bead === 'merged'
    ? 'done'
    : bead === 'failed'
      ? 'failed'
      : bead === 'in_progress' || bead === 'hooked'
        ? 'working'
        : 'waiting';

/** One line of all that a human decides about. */
export const planLine = ({ goal, workers, coordinator }: Plan): string =>
  [
    cleanLine(goal),
    ...workers.map(({ agent, task, files }) => `${agent} writes ${files.join(' ')}: ${cleanLine(task)}`),
    `everything else is ${coordinator}'s`,
  ].join(' · ');

/** `state` of a member's run. `say` null: it rests while others work. */
export const memberState = (phase: string, say: string | null): ModeState => ({
  phase,
  say,
  work: { total: 1, open: 1, done: 0, failed: 0 },
});

/** What an agent is told that rests with its part unfinished. */
export const goOnText = (plan: Plan, agent: string, beadId: string, gt: string): string => {
  const own = plan.workers.find((worker) => worker.agent === agent);
  return said(
    'ultrapilot',
    `your part is not done: ${beadId}, ${quoted(own?.task ?? '')}. Go on with it; nobody else does.`,
    `Your files, and no others: ${(own?.files ?? []).join(' ')}. When it is done and committed: ${gt} done. Where it cannot be: ${gt} done --failed "why".`,
  );
};

/** What the coordinator is told of an ultrapilot that has no plan yet. */
export const planText = (goal: string, agents: readonly string[], template: string, gt: string): string =>
  said(
    'ultrapilot',
    `plan parallel work${goal === '' ? '' : ` for ${quoted(goal, 1_000)}`}. Look at the code first; change nothing yet.`,
    `Divide it among some of these agents, so that no two of them need the same file: ${agents.join(', ') || 'none run'}.`,
    'Hand the plan in, in this form; a human reads it before anything begins. Then end your turn.',
    `${gt} ultrapilot plan - <<'PLAN'\n${template.trimEnd()}\nPLAN`,
  );

const partMark = 'ultrapilot: ';

/** The bead of a part. */
export function beadOf(plan: Plan, agent: string, gt: string): { title: string; description: string } {
  const own = plan.workers.find((worker) => worker.agent === agent);
  const others = plan.workers.filter((worker) => worker.agent !== agent);
  return {
    title: `${partMark}${cleanLine(own?.task ?? '').slice(0, 150)}`,
    description: [
      own?.task ?? '',
      '',
      `The whole: ${plan.goal}`,
      `Your files, and no others: ${(own?.files ?? []).join(' ')}`,
      ...others.map((worker) => `Of ${worker.agent}: ${worker.files.join(' ')}`),
      `Everything else is ${plan.coordinator}'s. A write outside of your files is denied; whether one is yours: ${gt} ultrapilot may FILE`,
      `Commit all of it on the branch of your tree, then: ${gt} done`,
    ].join('\n'),
  };
}

/** The plan as those must hold to it whose part is open: what is done is the coordinator's to mend. */
export const setsFor = (plan: Plan, agent: string, parts: readonly Part[]): Workers => ({
  coordinator: plan.coordinator,
  workers: plan.workers
    .filter(
      (worker) => agent !== plan.coordinator || !parts.some((part) => part.agent === worker.agent && isOver(part)),
    )
    .map((worker) => ({ agent: worker.agent, files: worker.files })),
});
