/** `gt prime`, `gt reply`, `gt note`: what an agent is told and what it says. */
import { prime, primeSources } from '../../town/agent/prime.ts';
import { addNote, reply } from '../../town/agent/speak.ts';
import { oneOf } from '../arguments.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function primeAgent(call: Call): Promise<undefined> {
  const source = oneOf(call.text('source') ?? 'startup', primeSources, '--source');
  if (!call.io.env['GT_AGENT_ID']) return;
  const text = await prime(await call.town(), source);
  if (text !== null) call.io.out(text);
}

export async function answer(call: Call): Promise<undefined> {
  const nudge = await reply(await call.town(), call.rest.join(' '));
  print(call, nudge, () => ['answered']);
}

export async function noteDown(call: Call): Promise<undefined> {
  const noted = await addNote(await call.town(), call.rest.join(' '));
  print(call, noted, () => ['noted']);
}
