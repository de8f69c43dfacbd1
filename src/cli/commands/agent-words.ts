/** `gt reply`, `gt note`: what an agent says. */
import { addNote, reply } from '../../town/agent/speak.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function answer(call: Call): Promise<undefined> {
  const nudge = await reply(await call.town(), call.rest.join(' '));
  print(call, nudge, () => ['answered']);
}

export async function noteDown(call: Call): Promise<undefined> {
  const noted = await addNote(await call.town(), call.rest.join(' '));
  print(call, noted, () => ['noted']);
}
