import { cleanLine } from '../../domain/text.ts';
import { startDeacon, stopDeacon } from '../../town/deacon/control.ts';
import { runDeacon } from '../../town/deacon/run.ts';
import type { Call } from '../command.ts';
import { print } from '../print.ts';

/** The patrol itself, in this terminal, until it is told to end; one round of it with --once. */
export async function patrol(call: Call): Promise<undefined> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ending.abort());
  await runDeacon(await call.town(), {
    once: call.flag('once'),
    signal: ending.signal,
    onLine: (line) => call.io.out(`${cleanLine(line)}\n`),
  });
}

export async function start(call: Call): Promise<undefined> {
  const result = await startDeacon(await call.town());
  print(call, { result }, () => [result]);
}

export async function stop(call: Call): Promise<undefined> {
  const result = await stopDeacon(await call.town());
  print(call, { result }, () => [result]);
}
