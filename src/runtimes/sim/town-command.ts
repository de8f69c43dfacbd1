/** The sim's only way into the town: `gt`, run as any agent's shell tool would run it. */
import { execFile } from 'node:child_process';
import { parseJson } from './parse-json.ts';

interface GtAnswer {
  code: number;
  text: string;
}

/** The work on the sim's hook as `gt hook --json` tells it; null: nothing, or the answer could not be read. */
export interface HookedWork {
  status: 'pending' | 'active';
  bead_id: string;
  title: string;
}

export interface TownCommand {
  run(...words: string[]): Promise<GtAnswer>;
  hook(): Promise<HookedWork | null>;
}

/** `program` is the absolute path of `gt`. One call at a time: an agent's shell tool has one hand. */
export function townCommand(program: string): TownCommand {
  let last: Promise<unknown> = Promise.resolve();
  const run = (...words: string[]): Promise<GtAnswer> => {
    const call = last.then(
      () =>
        new Promise<GtAnswer>((resolve) => {
          execFile(program, words, { encoding: 'utf8', maxBuffer: 1_048_576 }, (error, stdout, stderr) => {
            const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 127;
            resolve({ code, text: (code === 0 ? stdout : stderr || stdout).trim() });
          });
        }),
    );
    last = call;
    return call;
  };
  return {
    run,
    hook: async () => {
      const answer = await run('hook', '--json');
      return answer.code === 0 ? hookedWork(parseJson(answer.text)) : null;
    },
  };
}

function hookedWork(answer: unknown): HookedWork | null {
  const { status, work_item } = fields(answer);
  const { bead_id, title } = fields(work_item);
  if ((status !== 'pending' && status !== 'active') || typeof bead_id !== 'string') return null;
  return { status, bead_id, title: typeof title === 'string' ? title : '' };
}

const fields = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
