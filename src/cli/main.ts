#!/usr/bin/env node
/** `gastown` for people and, with `--as-agent` first, `gt` for agents: the same program, two tables of commands. */
import { createRequire } from 'node:module';
import { isQuick } from './quick-words.ts';

const argv = process.argv.slice(2);
if (isQuick(argv)) {
  createRequire(import.meta.url)('./quick.cjs');
} else {
  const { processIo } = await import('./io.ts');
  const { run } = await import('./run.ts');
  process.exitCode = await run(argv, processIo());
}
