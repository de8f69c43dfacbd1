import { readStatus } from '../../town/status.ts';
import type { Call } from '../command.ts';
import { print, warn } from '../print.ts';

export async function status(call: Call): Promise<undefined> {
  if (call.flag('watch')) return (await import('./status-watch.ts')).watchStatus(call);
  const town = await call.town();
  for (const warning of town.warnings) warn(call, warning);
  const read = await readStatus(town);
  if (call.flag('json')) return print(call, read, () => []);
  const { statusLines } = await import('../status-lines.ts');
  print(call, read, () => statusLines(read, town.clock(), call.io.color));
}
