/** `gastown deacon` as a process of its own, to be killed at will. */
import { type ChildProcess, spawn } from 'node:child_process';
import { gastownProgram, type ScratchTown } from '../support/town.ts';

export interface DeaconProcess {
  child: ChildProcess;
  /** Standard output and error so far. */
  said(): string;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

export function spawnDeacon(scratch: ScratchTown, words: readonly string[] = []): DeaconProcess {
  const child = spawn(process.execPath, [gastownProgram, 'deacon', ...words], {
    cwd: scratch.root,
    env: scratch.env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = new Promise<number | string>((done) => {
    child.on('close', (code, signal) => done(code ?? signal ?? 'gone'));
  });
  return { child, said: () => said, ended };
}
