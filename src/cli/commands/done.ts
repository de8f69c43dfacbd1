import { done } from '../../town/agent/done.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function finish(call: Call): Promise<undefined> {
  const result = await done(await call.town(), call.text('failed') ?? null);
  print(call, result, () => [
    `${result.bead_id} is ${result.bead_status ?? 'without a record'}, your hook is completed`,
    ...result.left.map((line) => `note: ${line}`),
    'It now waits to be verified. Do not exit; new work is announced here.',
  ]);
}
