#!/usr/bin/env node
/** `gastown` for people; with `--as-agent` first, `gt` for agents: the same program, two tables of commands. */
import { reportFailure } from './failure.ts';
import { processIo } from './io.ts';
import { runCommand } from './program.ts';

const io = processIo();
const asAgent = process.argv[2] === '--as-agent';
const argv = process.argv.slice(asAgent ? 3 : 2);
const program = asAgent ? 'gt' : 'gastown';

async function main(): Promise<number> {
  try {
    const { face } = asAgent ? await import('./agent-table.ts') : await import('./table.ts');
    return await runCommand(face, argv, io);
  } catch (error) {
    const ownWords = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
    return reportFailure(error, io, program, ownWords.includes('--debug'));
  }
}

process.exitCode = await main();
