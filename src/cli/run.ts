/** One call of the program, from its words to its exit code. */
import { reportFailure } from './failure.ts';
import type { Io } from './io.ts';
import { runCommand } from './program.ts';

/** `argv` without Node and the program. First `--as-agent`: the words are an agent's `gt`. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const asAgent = argv[0] === '--as-agent';
  const words = asAgent ? argv.slice(1) : argv;
  try {
    const { face } = asAgent ? await import('./agent-table.ts') : await import('./table.ts');
    return await runCommand(face, words, io);
  } catch (error) {
    const ownWords = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
    return reportFailure(error, io, asAgent ? 'gt' : 'gastown', ownWords.includes('--debug'));
  }
}
