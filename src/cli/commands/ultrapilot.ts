/** `gastown ultrapilot`, `gt ultrapilot`: parallel workers with exclusive file sets, from the plan to what was joined. */
import { resolve } from 'node:path';
import { refused, usage } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { cleanLine } from '../../domain/text.ts';
import { partText } from '../../domain/ultrapilot/tell.ts';
import { callerOf } from '../../town/agent/caller.ts';
import { readImport } from '../../town/import.ts';
import { beginWork } from '../../town/ultrapilot/begin.ts';
import { cancelUltrapilot } from '../../town/ultrapilot/cancel.ts';
import { joinOnWish } from '../../town/ultrapilot/join.ts';
import { handInPlan, planLimitBytes, replacePlan } from '../../town/ultrapilot/plan.ts';
import { requireUltrapilot } from '../../town/ultrapilot/run.ts';
import { mayWrite, ownPart, showUltrapilot, type UltrapilotView, viewOf } from '../../town/ultrapilot/view.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { editText } from '../edit-text.ts';
import { print } from '../print.ts';

export async function show(call: Call): Promise<undefined> {
  const view = showUltrapilot(await call.town());
  print(call, view, () => lines(view));
}

/** The text as it is, or another in its place. */
export async function plan(call: Call): Promise<undefined> {
  const file = call.args[0];
  const town = await call.town();
  if (file !== undefined) {
    const view = viewOf(await replacePlan(town, await textOf(call, file), { fileName: nameOf(file) }));
    print(call, view, () => lines(view));
    return;
  }
  const { state } = requireUltrapilot(town);
  print(call, { text: state.text, plan: state.plan, problem: state.problem }, () => [state.text.trimEnd()]);
}

export async function edit(call: Call): Promise<undefined> {
  const town = await call.town();
  const { state } = requireUltrapilot(town);
  if (state.stage !== 'plan') throw refused('the work has begun, so its plan stands', 'see gastown ultrapilot');
  const view = await editText(call, { name: 'ultrapilot.yaml', text: state.text }, async (text) =>
    text === state.text && state.plan !== null
      ? showUltrapilot(town)
      : viewOf(await replacePlan(town, text, { fileName: 'ultrapilot.yaml', was: state.text })),
  );
  print(call, view, () => lines(view));
}

export async function start(call: Call): Promise<undefined> {
  const view = viewOf(await beginWork(await call.town()));
  print(call, view, () => lines(view));
}

/** Exit 3 while something is held back. */
export async function integrate(call: Call): Promise<number | undefined> {
  const names = (option: string): string[] =>
    (call.text(option) ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [parseId('agent', name.trim())]));
  const town = await call.town();
  const wish = { by: 'operator', accept: names('accept'), without: names('without') };
  const workers = requireUltrapilot(town).state.parts.map(({ agent }) => agent);
  const unknown = [...wish.accept, ...wish.without].find((name) => !workers.includes(name));
  if (unknown !== undefined)
    throw usage(`${unknown} is no worker of this ultrapilot`, `workers: ${workers.join(', ')}`);
  const view = viewOf(await joinOnWish(town, wish));
  print(call, view, () => lines(view));
  return view.active ? 3 : undefined;
}

export async function cancel(call: Call): Promise<undefined> {
  const done = await cancelUltrapilot(await call.town());
  print(call, done, () => [
    'the ultrapilot is cancelled: nobody is held to its files any more, all branches and trees stay',
    ...done.left.map(
      ({ agent, bead_id }) =>
        `${bead_id} is still on the hook of ${agent}: gastown clear ${agent} --force --reason "…"`,
    ),
  ]);
}

/** `gt ultrapilot`. */
export async function own(call: Call): Promise<undefined> {
  const part = await ownPart(await call.town());
  print(call, part, () => [
    ...(part.task === null ? [] : [`your part, ${part.bead_id ?? 'not given out yet'}: ${cleanLine(part.task)}`]),
    `your files: ${part.files === null ? 'what is in no set' : part.files.join(' ')}`,
    ...part.others.map(({ agent, files }) => `of ${agent}: ${files.join(' ')}`),
    `everything else is of ${part.coordinator}`,
  ]);
}

/** `gt ultrapilot plan`: the coordinator hands it in. */
export async function handIn(call: Call): Promise<undefined> {
  const file = call.args[0] ?? '-';
  const town = await call.town();
  const { agent } = await callerOf(town);
  const view = viewOf(await handInPlan(town, agent.agent_id, await textOf(call, file), nameOf(file)));
  print(call, view, () => [
    `the plan of ${view.plan?.workers.length ?? 0} workers waits for a human's word; end your turn`,
  ]);
}

/** `gt ultrapilot may`: for a runtime without events of its own, before it writes. */
export async function may(call: Call): Promise<undefined> {
  const answer = await mayWrite(await call.town(), call.rest, call.io.cwd);
  print(call, answer, () => [answer.held ? 'yours' : 'you are held to no files']);
}

const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);
const textOf = async (call: Call, file: string): Promise<string> =>
  file === '-' ? call.io.stdin(planLimitBytes) : readImport(resolve(call.io.cwd, file));

function lines(view: UltrapilotView): string[] {
  const { plan: planned, parts, joined, active } = view;
  const rows = (planned?.workers ?? []).map(({ agent, task, files }) => {
    const part = parts.find((one) => one.agent === agent);
    return [agent, part?.status ?? '-', part?.bead_id ?? '-', files.join(' '), cleanLine(task).slice(0, 80)];
  });
  return [
    `ultrapilot of ${view.coordinator}: ${view.ended ?? view.phase}`,
    ...(view.goal === '' ? [] : [`goal: ${cleanLine(view.goal)}`]),
    ...(rows.length === 0 ? [] : ['', ...columns(['AGENT', 'PART', 'BEAD', 'FILES', 'TASK'], rows)]),
    ...(planned === null ? [] : [`everything else is of ${planned.coordinator}`]),
    ...(joined === null ? [] : ['', joined.tree === null ? joined.branch : `${joined.branch}, in ${joined.tree}`]),
    ...(joined?.parts ?? []).map((part) => `  ${part.agent}: ${partText(part)}`),
    ...(active ? ['', nextStep(view)] : []),
  ];
}

const nextStep = ({ stage, plan: planned, problem }: UltrapilotView): string =>
  ({
    plan:
      planned === null
        ? `no plan: ${problem ?? ''}; write it: gastown ultrapilot edit`
        : 'nothing has begun: gastown ultrapilot start begins it, edit changes it, cancel ends it',
    work: 'all that is done is joined when the last part is done',
    join: 'mend what is held back, then: gastown ultrapilot integrate (--accept AGENT takes a branch as it is, --without AGENT leaves it out)',
  })[stage];
