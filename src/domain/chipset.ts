/**
 * A chipset file of the reference shape: accepted where a project has one. Its topology is checked, its `gupp` block
 * stands behind gastown.yaml's, and its evaluation gates are evaluated for real at `up`.
 */
import * as z from 'zod/mini';
import { type Config, configSchema } from './config.ts';

const named = { name: z.string() };
const skill = z.looseObject({ ...named, token_budget_weight: z.optional(z.number()) });
const agent = z.looseObject({
  ...named,
  role: z.string(),
  skills: z.optional(z.array(z.string())),
  count: z.optional(z.int().check(z.minimum(1), z.maximum(30))),
});
const channel = z.looseObject({ ...named, type: z.string(), filesystem_path: z.optional(z.string()) });
const gate = z.looseObject({ check: z.string(), threshold: z.number(), action: z.enum(['block', 'warn', 'log']) });

export const chipsetSchema = z.strictObject({
  header: z.looseObject({ ...named, version: z.string() }),
  skills: z.looseObject({ required: z.array(skill), recommended: z.optional(z.array(skill)) }),
  agents: z.looseObject({ topology: z.optional(z.string()), agents: z.array(agent) }),
  communication: z.looseObject({ channels: z.array(channel) }),
  dispatch: z.looseObject({ max_parallel: z.optional(z.number()) }),
  evaluation: z.looseObject({ gates: z.looseObject({ pre_deploy: z.array(gate) }) }),
  runtime: z.looseObject({ providers: z.optional(z.array(z.looseObject(named))) }),
  gupp: z.optional(configSchema.shape.gupp),
});
export type Chipset = z.infer<typeof chipsetSchema>;
export type ChipsetGate = z.infer<typeof gate>;

export interface ChipsetIssues {
  errors: string[];
  warnings: string[];
}

/** What the shape alone does not tell: budgets, topology, references, paths. */
export function checkTopology(chipset: Chipset): ChipsetIssues {
  const errors: string[] = [];
  const warnings: string[] = [];
  const skills = [...chipset.skills.required, ...(chipset.skills.recommended ?? [])];
  const weight = skills.reduce((sum, one) => sum + (one.token_budget_weight ?? 0), 0);
  if (weight > 1 + 1e-9) errors.push(`skills: token_budget_weight adds up to ${weight.toFixed(2)}, more than 1`);
  else if (weight > 0.9) warnings.push(`skills: token_budget_weight adds up to ${weight.toFixed(2)}, little is left`);

  const { agents } = chipset.agents;
  const countOf = (role: string): number =>
    agents.filter((one) => one.role === role).reduce((sum, one) => sum + (one.count ?? 1), 0);
  if (countOf('mayor') !== 1) errors.push(`agents: exactly one mayor is needed, ${countOf('mayor')} are given`);
  if (countOf('witness') < 1) errors.push('agents: at least one witness is needed');
  if (countOf('polecat') < 1) errors.push('agents: at least one polecat is needed');
  if (countOf('polecat') > 30) errors.push(`agents: ${countOf('polecat')} polecats, at most 30`);
  for (const one of duplicates(agents.map(({ name }) => name))) errors.push(`agents: two are called ${one}`);
  for (const one of duplicates(skills.map(({ name }) => name))) errors.push(`skills: two are called ${one}`);
  const known = new Set(skills.map(({ name }) => name));
  for (const { name, skills: wanted = [] } of agents) {
    for (const missing of wanted.filter((one) => !known.has(one))) {
      errors.push(`agents: ${name} wants the skill ${missing}, which is not there`);
    }
  }
  for (const { name, filesystem_path: path } of chipset.communication.channels) {
    if (path !== undefined && (path === '' || path.startsWith('/') || path.split(/[\\/]/).includes('..'))) {
      errors.push(`communication: the path of ${name} leads out of the town: ${JSON.stringify(path)}`);
    }
  }
  const parallel = chipset.dispatch.max_parallel;
  if (parallel !== undefined && parallel > countOf('polecat')) {
    warnings.push(`dispatch: max_parallel ${parallel} is more than there are polecats`);
  }
  return { errors, warnings };
}

const duplicates = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];

/** The chipset's `gupp` stands behind the configuration's own, value by value. */
export function mergeGupp(chipset: Chipset['gupp'], own: Config['gupp']): Config['gupp'] {
  if (chipset === undefined) return own;
  const runtimes = { ...chipset.runtimes };
  for (const [id, values] of Object.entries(own?.runtimes ?? {})) runtimes[id] = { ...runtimes[id], ...values };
  return {
    thresholds: { ...chipset.thresholds, ...own?.thresholds },
    limits: { ...chipset.limits, ...own?.limits },
    runtimes,
  };
}

/** What was measured for the gates; null: nothing to measure by yet. */
export interface GateMeasures {
  /** Percent of agents with a valid identity. */
  agent_identity: number | null;
  /** Percent of hooks that hold what is written. */
  hook_durability: number | null;
  /** Median seconds from assignment to first work. */
  gupp_response_time: number | null;
}

export interface GateVerdict {
  action: ChipsetGate['action'];
  passed: boolean;
  message: string;
}

/** Every gate has an answer: an unknown check is a warning, one without a measure passes and says so. */
export function evaluateGates(gates: readonly ChipsetGate[], measures: GateMeasures): GateVerdict[] {
  return gates.map(({ check, threshold, action }): GateVerdict => {
    if (!Object.hasOwn(measures, check)) {
      return { action: 'warn', passed: false, message: `${check} is no check that is known here: not evaluated` };
    }
    const value = measures[check as keyof GateMeasures];
    if (value === null) return { action, passed: true, message: `${check}: nothing measured yet` };
    const isTime = check === 'gupp_response_time';
    const passed = isTime ? value <= threshold : value >= threshold;
    const unit = isTime ? ' s' : ' %';
    const bar = `${isTime ? 'at most' : 'at least'} ${threshold}${unit}`;
    return { action, passed, message: `${check}: ${Math.round(value * 10) / 10}${unit}, ${bar} wanted` };
  });
}
