#!/usr/bin/env node
/** `gastown` for people and, with `--as-agent` first, `gt` for agents: the same program, two tables of commands. */
import { fileURLToPath } from 'node:url';
import { isQuick } from './quick-words.ts';
import { runQuick } from './run-quick.ts';

const argv = process.argv.slice(2);
const words = argv[0] === '--as-agent' ? argv.slice(1) : argv;
if (isQuick(argv)) {
  runQuick(fileURLToPath(new URL('quick.cjs', import.meta.url)));
} else if (words[0] === 'dissolve') {
  // Without the table and its parser: the gate has a grammar of its own, and a bar to keep.
  const { processIo } = await import('./io.ts');
  const { runDissolve } = await import('./commands/dissolve.ts');
  process.exitCode = await runDissolve(words.slice(1), processIo());
} else {
  const { processIo } = await import('./io.ts');
  const { run } = await import('./run.ts');
  process.exitCode = await run(argv, processIo());
}
