/**
 * Answers `gastown status --json` on a socket in the state folder, which is the user's alone: the deacon has the files in
 * memory and tmux on the line, and whoever asks need not start a program (DESIGN section 9). It opens the town anew with
 * the asker's environment, so both ways give one answer; where it is not sure, it answers nothing.
 */
import { chmodSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { toRecordText } from '../../domain/json.ts';
import { deaconSocket } from '../../store/deacon-socket.ts';
import { openTown, type Town } from '../context.ts';
import { readStatus } from '../status.ts';

/** An environment may be large; a question is not more than that. */
const questionLimitBytes = 1_000_000;
const questionMs = 1_000;

interface Question {
  program: string;
  built: number;
  cwd: string;
  env: Record<string, string>;
}

/** Until `close`. Only the deacon that holds the lease may: it takes the place of a socket that was left behind. */
export function answerStatus(town: Town): { close(): Promise<void> } {
  const path = deaconSocket(town.stateDir);
  if (path === null) return { close: () => Promise.resolve() };
  const program = join(town.distDir, 'gastown.cjs');
  const built = statSync(program, { throwIfNoEntry: false })?.mtimeMs;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.setTimeout(questionMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    readQuestion(socket, async (question) => {
      const isSameBuild = question.program === program && question.built === built;
      const text = isSameBuild ? await statusText(town, question).catch(() => '') : '';
      socket.end(`${Buffer.byteLength(text)}\n${text}`);
    });
  });
  // Nothing depends on it: without it everybody looks for themselves.
  server.on('error', () => {});
  try {
    rmSync(path, { force: true });
  } catch {
    // What lies there is no socket of ours; listening fails as well.
  }
  server.listen(path, () => chmodSync(path, 0o600));
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

function readQuestion(socket: Socket, answer: (question: Question) => Promise<void>): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    if (text.endsWith('\n')) return;
    text += chunk;
    if (text.length > questionLimitBytes) socket.destroy();
    else if (text.endsWith('\n')) {
      try {
        void answer(JSON.parse(text) as Question);
      } catch {
        socket.destroy();
      }
    }
  });
}

/** Empty where the asker should look for itself: another town, or a tmux server of which this connection is not sure. */
async function statusText({ stateDir, tmux }: Town, { cwd, env }: Question): Promise<string> {
  const town = await openTown({ cwd, env, tmux });
  if (town.stateDir !== stateDir || town.recorded?.running !== true) return '';
  const status = await readStatus(town);
  return status.town.server === 'ok' ? toRecordText(status) : '';
}
