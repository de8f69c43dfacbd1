/** One call of the program, from its words to its exit code. */
import { reportFailure } from './failure.ts';
import { type Io, processIo } from './io.ts';

/** This process's own call. Never throws. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  process.exitCode = await run(argv, processIo());
}

/** `argv` without Node and the program. First `--as-agent`: the words are an agent's `gt`. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const asAgent = argv[0] === '--as-agent';
  const words = asAgent ? argv.slice(1) : argv;
  // Without the table and its parser: the gate has a grammar of its own, and a bar to keep.
  if (words[0] === 'dissolve') return (await import('./commands/dissolve.ts')).runDissolve(words.slice(1), io);
  try {
    const { face } = asAgent ? await import('./agent-table.ts') : await import('./table.ts');
    const { runCommand } = await import('./program.ts');
    return await runCommand(face, words, io);
  } catch (error) {
    const ownWords = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
    return reportFailure(error, io, asAgent ? 'gt' : 'gastown', ownWords.includes('--debug'));
  }
}
