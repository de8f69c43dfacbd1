/** The program behind `gt-event <Event> [Tool]` when something may change: one start, one event, one answer, exit 0. */
import { writeSync } from 'node:fs';
import { callerOf } from './caller.ts';
import { handleEvent } from './handle.ts';
import { handlersFor } from './handlers.ts';
import { readPayload } from './read-payload.ts';

async function main(): Promise<void> {
  const [name, toolWord] = process.argv.slice(2);
  const caller = callerOf(process.env);
  if (caller === null || name === undefined) return;
  const answer = await handleEvent({
    caller,
    name,
    toolWord: toolWord ?? null,
    payload: readPayload(),
    env: process.env,
    now: Date.now(),
    parent: process.ppid,
    handlers: handlersFor,
  });
  print(answer);
}

function print(text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(1, bytes, done);
}

// A runtime that does not listen any more, or a bug: neither may fail its turn.
main().then(
  () => process.exit(0),
  () => process.exit(0),
);
