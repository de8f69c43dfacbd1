/**
 * The calls that are made over and over, by agents and by scripts, without the parser and in one file: `status --json` has
 * a bar to keep (DESIGN section 9), and an agent's `gt hook` should cost it little. `quick-words.ts` says which.
 */
import * as z from 'zod/mini';
import { callOf } from './call.ts';
import type { Call } from './command.ts';
import { hook, touch } from './commands/hook.ts';
import { prime } from './commands/prime.ts';
import { status } from './commands/status.ts';
import { reportFailure } from './failure.ts';
import { processIo } from './io.ts';

const quick: Record<string, (call: Call) => Promise<number | undefined>> = {
  status,
  '--as-agent prime': prime,
  '--as-agent hook': hook,
  '--as-agent hook start': hook,
  '--as-agent touch': touch,
};

async function main(argv: readonly string[]): Promise<void> {
  const io = processIo();
  const words = argv.filter((word) => word !== '--json');
  const args = words[0] === '--as-agent' ? words.slice(2) : [];
  const json = words.length < argv.length;
  try {
    const run = quick[words.join(' ')];
    process.exitCode = (await run?.(callOf(io, args, [], { json }, true))) ?? 0;
  } catch (error) {
    process.exitCode = reportFailure(error, io, words[0] === '--as-agent' ? 'gt' : 'gastown', false);
  }
}

// Compiling a schema pays off after more records than one call reads.
z.config({ jitless: true });
void main(process.argv.slice(2));
