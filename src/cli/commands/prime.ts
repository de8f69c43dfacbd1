import { primeSources, prime as primeText } from '../../town/agent/prime.ts';
import { oneOf } from '../arguments.ts';
import type { Call } from '../command.ts';

export async function prime(call: Call): Promise<undefined> {
  const source = oneOf(call.text('source') ?? 'startup', primeSources, '--source');
  if (!call.io.env['GT_AGENT_ID']) return;
  const text = await primeText(await call.town(), source);
  if (text !== null) call.io.out(text);
}
