/** `gastown handlers`: which event handlers there are, what each does here, and the town's own ones. */
import { usage } from '../../domain/errors.ts';
import { handlerNames, isHandler } from '../../domain/handlers/names.ts';
import type { HandlerView } from '../../domain/handlers/view.ts';
import { suggestion } from '../../domain/nearest.ts';
import { cleanLine } from '../../domain/text.ts';
import { handlersOf } from '../../town/handlers/list.ts';
import { distrustOwn, trustOwn } from '../../town/handlers/own.ts';
import { putInForce } from '../../town/handlers/put-in-force.ts';
import { type Trial, tryHandler } from '../../town/handlers/trial.ts';
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function list(call: Call): Promise<undefined> {
  const all = handlersOf(await call.town());
  print(call, all, () =>
    columns(
      ['HANDLER', 'GROUP', 'ON', 'EVENTS', 'RUNTIMES'],
      all.map(({ name, group, enabled, events, runtimes }) => [
        name,
        group,
        enabled ? 'on' : 'off',
        events.join(', ') || '-',
        runtimes.join(', ') || '-',
      ]),
    ),
  );
}

export async function explain(call: Call): Promise<undefined> {
  const all = handlersOf(await call.town());
  const name = call.args[0] ?? '';
  const found = all.find((one) => one.name === name);
  if (found === undefined) {
    const names = all.map((one) => one.name);
    throw usage(`no handler is called ${JSON.stringify(name.slice(0, 60))}`, suggestion(name, names));
  }
  print(call, found, () => about(found));
}

const about = ({ name, group, enabled, roles, priority, events, does, runtimes, relies }: HandlerView): string[] => [
  `${name} (${group}), ${enabled ? `on for ${roles.join(', ')}` : 'off'}; priority ${priority}`,
  `  ${does}`,
  `  events: ${events.join(', ') || 'none drives it'}`,
  `  runtimes: ${runtimes.join(', ') || 'none'}`,
  ...Object.entries(relies).map(([runtime, why]) => `  ${runtime}: ${why}`),
];

/** Exit 3 when one does not do what it is for; all of the catalogue without a name. */
export async function test(call: Call): Promise<number> {
  const town = await call.town();
  const name = call.args[0];
  if (name !== undefined && !isHandler(name))
    throw usage(`the catalogue has no handler ${JSON.stringify(name.slice(0, 60))}`, suggestion(name, handlerNames));
  const trials: Trial[] = [];
  for (const one of name === undefined ? handlerNames : [name]) trials.push(await tryHandler(town, one));
  print(call, name === undefined ? trials : trials[0], () =>
    name === undefined
      ? columns(
          ['HANDLER', 'RUNTIME', 'RESULT', 'EVENT'],
          trials.map(({ name: tried, runtime, ok, answers }) => [
            tried,
            runtime,
            ok ? 'works' : 'FAILED',
            answers.words,
          ]),
        )
      : trials.flatMap(outcome),
  );
  return trials.every(({ ok }) => ok) ? 0 : 3;
}

const outcome = ({ name, runtime, command, answers, leaves, ok }: Trial): string[] => [
  `${name}: ${ok ? 'works' : 'does not do what it is for'}`,
  `  ran            ${command} (${runtime})`,
  `  ${answers.words.padEnd(14)} ${answers.shown === null ? 'NOT answered' : `answered: ${cleanLine(answers.shown)}`}`,
  `  ${leaves.words.padEnd(14)} ${leaves.shown === null ? 'left alone, as it must' : `ANSWERED: ${cleanLine(leaves.shown)}`}`,
];

/** Runs the file once to learn what it is (decision 18): the operator has read it. */
export async function trust(call: Call): Promise<undefined> {
  const town = await call.town();
  const handler = await trustOwn(town.store, call.args[0] ?? '');
  await putInForce(town);
  print(call, handler, () => [
    `${handler.name} is trusted as it is now (sha256 ${handler.sha256.slice(0, 12)}); any change of it stops it`,
  ]);
}

export async function distrust(call: Call): Promise<undefined> {
  const town = await call.town();
  const file = call.args[0] ?? '';
  await distrustOwn(town.store, file);
  await putInForce(town);
  print(call, { file, trusted: false }, () => [`${file} does not run any more`]);
}
