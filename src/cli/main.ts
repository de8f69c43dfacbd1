#!/usr/bin/env node
/** `gastown` for people and, with `--as-agent` first, `gt` for agents: the same program, two tables of commands. */
import { createRequire } from 'node:module';
import { isQuick } from './quick-words.ts';

const argv = process.argv.slice(2);
const words = argv[0] === '--as-agent' ? argv.slice(1) : argv;
if (isQuick(argv)) {
  createRequire(import.meta.url)('./quick.cjs');
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
