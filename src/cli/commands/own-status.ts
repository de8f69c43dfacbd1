import { formatAge } from '../../domain/time.ts';
import { ownStatus } from '../../town/agent/own-status.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

export async function status(call: Call): Promise<undefined> {
  const own = await ownStatus(await call.town());
  const age = (seconds: number | null): string => (seconds === null ? '' : `, ${formatAge(seconds * 1000)} ago`);
  print(call, own, () => [
    `the board shows ${own.agent_id} as ${own.state}${own.detail === '' ? '' : `: ${own.detail}`}`,
    `hook ${own.hook.status}, ${own.nudges} nudges, ${own.restarts} restarts`,
    ...own.evidence.map(({ source, text, age_s }) => `evidence: ${source} ${text}${age(age_s)}`),
  ]);
}
