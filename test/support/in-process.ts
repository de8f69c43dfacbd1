/** The command line in this very process: the same words, the same files, without the cost of a start. */
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/run.ts';
import type { Ran, RunOptions, ScratchTown } from './town.ts';

export interface InProcessOptions extends Pick<RunOptions, 'cwd' | 'env' | 'input'> {
  terminal?: boolean;
}

/** `gastown …words` in the scratch town, without a terminal unless wished. */
export async function gastown(
  town: Pick<ScratchTown, 'root' | 'env'>,
  words: readonly string[],
  { cwd = town.root, env = {}, input = '', terminal = false }: InProcessOptions = {},
): Promise<Ran> {
  const ran = { out: '', err: '' };
  const io: Io = {
    out: (text) => {
      ran.out += text;
    },
    err: (text) => {
      ran.err += text;
    },
    stdin: async () => input,
    env: { ...town.env, ...env },
    cwd,
    isTerminal: terminal,
    color: terminal,
    columns: terminal ? 80 : null,
  };
  return { code: await run(words, io), ...ran };
}

/** `gt …words`, as the agent. */
export const gt = (
  town: Pick<ScratchTown, 'root' | 'env' | 'stateDir'>,
  agentId: string,
  words: readonly string[],
  options: InProcessOptions = {},
): Promise<Ran> =>
  gastown(town, ['--as-agent', ...words], {
    ...options,
    env: { GT_AGENT_ID: agentId, GT_STATE_DIR: town.stateDir, ...options.env },
  });
