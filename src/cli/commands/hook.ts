/** `gt hook`, `gt hook start`, `gt touch`: an agent and its own hook. */

import { usage } from '../../domain/errors.ts';
import { cleanText } from '../../domain/text.ts';
import { type OwnHook, showHook, startHook, touchHook } from '../../town/agent/own-hook.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function hook(call: Call): Promise<undefined> {
  const [verb] = call.args;
  if (verb !== undefined && verb !== 'start' && verb !== 'show') {
    throw usage(`gt hook does not know ${JSON.stringify(verb.slice(0, 40))}`, 'use gt hook, or gt hook start');
  }
  const town = await call.town();
  const shown = verb === 'start' ? await startHook(town) : await showHook(town);
  print(call, shown, () => linesOf(shown));
}

export async function touch(call: Call): Promise<undefined> {
  const touched = await touchHook(await call.town());
  print(call, touched, () => [touched.touched ? 'touched' : 'no active hook: nothing to touch']);
}

function linesOf({ status, work_item, bead }: OwnHook): string[] {
  if (work_item === null) return ['Your hook is empty: no work. Wait; a line is typed here when there is some.'];
  const description = bead?.description ? ['', cleanText(bead.description)] : [];
  const next = {
    pending: 'Begin now: gt hook start',
    active: 'It is your work: go on, and end it with gt done.',
    completed: 'It waits to be verified. Do nothing with it.',
    empty: '',
  }[status];
  return [`${work_item.bead_id}  ${cleanText(work_item.title)}`, `hook ${status}. ${next}`, ...description];
}
