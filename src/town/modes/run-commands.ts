/** The town's own commands, in the agent's tree: the exit code is what counts, the end of the output is what is told. */
import { spawn } from 'node:child_process';
import type { CommandResult } from '../../domain/mode/mode.ts';
import type { ModeCommand } from '../../domain/mode/record.ts';
import { cleanText } from '../../domain/text.ts';

export interface RunWhere {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds one command may take. */
  limitMs: number;
  signal?: AbortSignal;
}

const tailBytes = 16_384;

/** One after the other until one fails. Each in a process group of its own, so that its children end with it. */
export async function runCommands(commands: readonly ModeCommand[], where: RunWhere): Promise<CommandResult[]> {
  const results: CommandResult[] = [];
  for (const command of commands) {
    const result = await runOne(command, where);
    results.push(result);
    if (result.code !== 0) break;
  }
  return results;
}

function runOne({ name, command }: ModeCommand, { cwd, env, limitMs, signal }: RunWhere): Promise<CommandResult> {
  return new Promise((done) => {
    const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let tail = Buffer.alloc(0);
    let why = '';
    const keep = (chunk: Buffer): void => {
      tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
    };
    const stop = (reason: string) => (): void => {
      why = reason;
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(stop(`took longer than ${Math.round(limitMs / 1000)} s and was ended`), limitMs);
    const abort = stop('was ended with the town');
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      const text = [cleanText(tail.toString('utf8')).trimEnd(), why].filter((part) => part !== '').join('\n');
      done({ name, code: why === '' ? code : null, tail: text });
    };
    child.once('error', (error) => {
      why = error.message;
      finish(null);
    });
    child.once('close', finish);
  });
}
