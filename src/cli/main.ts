#!/usr/bin/env node
/** `gastown` for people and, with `--as-agent` first, `gt` for agents: the same program, two tables of commands. */
import { processIo } from './io.ts';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), processIo());
