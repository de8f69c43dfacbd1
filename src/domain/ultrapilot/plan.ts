/** A plan as people write it: read with every mistake told where it stands, and the text a new one begins with. Pure. */
import { explainIssue } from '../config-issue.ts';
import { usage } from '../errors.ts';
import { cleanLine } from '../text.ts';
import { parseYaml } from '../yaml-value.ts';
import { fileSet, isOverlap } from './file-sets.ts';
import { type Plan, planSchema } from './plan-schema.ts';

/** Everything wrong with the plan as one usage error (exit 1) that names file, line and column of the first mistake. */
export function parsePlan(text: string, fileName: string, agents: readonly string[]): Plan {
  const yaml = parseYaml(text, fileName);
  const read = planSchema.safeParse(yaml.value ?? {});
  if (!read.success) {
    // A misspelt key is both unknown and missing: the misspelling is what helps.
    const [first] = read.error.issues
      .map((issue) => explainIssue(issue, planSchema, yaml.value))
      .sort((a, b) => Number(a.missing) - Number(b.missing));
    if (first === undefined) throw usage(`${fileName} is no plan`);
    throw usage(`${yaml.at(first.path)}: ${first.message}`, first.next);
  }
  const plan = read.data;
  for (const mistake of mistakesOf(plan, agents))
    throw usage(`${yaml.at(mistake.path)}: ${mistake.text}`, mistake.next);
  return {
    ...plan,
    workers: plan.workers.map((worker) => ({ ...worker, files: worker.files.map((file) => fileSet(file) ?? file) })),
  };
}

interface Mistake {
  path: PropertyKey[];
  text: string;
  next: string;
}

function mistakesOf(plan: Plan, agents: readonly string[]): Mistake[] {
  const mistakes: Mistake[] = [];
  const known = (path: PropertyKey[], agent: string): void => {
    if (agents.includes(agent)) return;
    const shown = JSON.stringify(agent.slice(0, 40));
    mistakes.push({ path, text: `no agent is called ${shown} here`, next: `agents: ${agents.join(', ')}` });
  };
  if (cleanLine(plan.goal) === '')
    mistakes.push({ path: ['goal'], text: 'goal is empty', next: 'say what the whole is' });
  known(['coordinator'], plan.coordinator);
  plan.workers.forEach(({ agent, task, files }, at) => {
    known(['workers', at, 'agent'], agent);
    if (cleanLine(task) === '')
      mistakes.push({ path: ['workers', at, 'task'], text: `the task of ${agent} is empty`, next: '' });
    if (plan.workers.findIndex((one) => one.agent === agent) < at) {
      mistakes.push({
        path: ['workers', at, 'agent'],
        text: `${agent} is there twice`,
        next: 'give it one task with all its files',
      });
    }
    files.forEach((file, index) => {
      if (fileSet(file) !== null) return;
      mistakes.push({
        path: ['workers', at, 'files', index],
        text: `${JSON.stringify(file.slice(0, 80))} is no set of files`,
        next: 'a file by its path from the folder of the town, or a folder with /** at its end',
      });
    });
  });
  return mistakes.length > 0 ? mistakes : overlapsOf(plan);
}

function overlapsOf({ workers }: Plan): Mistake[] {
  const all = workers.flatMap(({ agent, files }, at) =>
    files.map((file, index) => ({ agent, file, path: ['workers', at, 'files', index] })),
  );
  return all.flatMap((one, index) =>
    all.slice(0, index).flatMap((other) =>
      other.agent !== one.agent && isOverlap(other.file, one.file)
        ? [
            {
              path: one.path,
              text: `${one.file} of ${one.agent} overlaps ${other.file} of ${other.agent}`,
              next: 'every file has one owner: give it to one of them, or to neither',
            },
          ]
        : [],
    ),
  );
}

/** The text a new plan begins with. */
export function planTemplate(goal: string, coordinator: string, workers: readonly string[]): string {
  const lines = workers.map(
    (agent, at) =>
      `  - agent: ${agent}\n    task: ""   # what exactly it does\n    files: []  # like src/part-${at + 1}/** or src/one-file.ts`,
  );
  return `# A plan for parallel work. Every file has one owner: sets must not overlap, and what is in none of them
# is the coordinator's. A set is a file by its path from the folder of the town, or a folder with /** at its end.
goal: ${JSON.stringify(goal)}
coordinator: ${coordinator}
workers:
${lines.join('\n')}
`;
}
