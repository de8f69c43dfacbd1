import { spawn } from 'node:child_process';
import { idle } from './anchor.ts';
import { type ControlEvent, controlParser } from './control-parser.ts';
import type { Down, Reply } from './driver.ts';
import { clientEnvironment } from './environment.ts';
import { commandLine } from './quote.ts';
import { closingMs, socketIsGone } from './reach.ts';

export interface ControlConnection {
  run(command: readonly string[], timeoutMs: number): Promise<Reply>;
  /** Detaches by closing standard input and waits for the client's end. */
  end(): Promise<void>;
}

interface ConnectionOptions {
  bin: string;
  socket: string;
  anchor: string;
  /** Limit for the attach, in milliseconds. */
  timeoutMs: number;
  onNotification: (name: string, rest: string) => void;
  /** Called once when an established connection ends, unless we ended it. */
  onEnd: (how: Down) => void;
}

/** Time for the last output of an ended client to arrive, in milliseconds. */
const drainMs = 200;
/** How long a client may take to leave after its input was closed, in milliseconds. */
const leaveMs = 2_000;

/**
 * One `tmux -C` client, from its attach to its end. `no-output` and `ignore-size` are chosen at the attach and never
 * changed: toggling them can hang tmux up to 3.6. Resolves once the attach is answered: what is written before is
 * answered out of order on 3.3a.
 */
export function openConnection(options: ConnectionOptions): Promise<ControlConnection | Down> {
  const { bin, socket, anchor } = options;
  // -A creates the anchor again should somebody have killed it; -N keeps a missing server missing.
  const argv = [
    '-S',
    socket,
    '-u',
    '-N',
    '-C',
    'new-session',
    '-A',
    '-s',
    anchor,
    '-f',
    'ignore-size,no-output',
    ...idle,
  ];
  const child = spawn(bin, argv, { env: clientEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const parser = controlParser();
  const pending: { settle: (reply: Reply) => void; timer: NodeJS.Timeout }[] = [];
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
    child.once('exit', () => {
      // A server that hangs holds copies of our pipes: they would not close before it goes on.
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve();
      }, drainMs);
    });
  });
  let attached = false;
  let ended = false;
  let ending = false;
  let trouble = '';

  return new Promise((resolve) => {
    const attachTimer = setTimeout(() => fail('the attach was not answered in time'), options.timeoutMs);

    const fail = (why: string): void => {
      trouble ||= why;
      child.kill('SIGKILL');
    };

    const run = (command: readonly string[], timeoutMs: number): Promise<Reply> =>
      new Promise((settle) => {
        if (ended || ending) return settle({ kind: 'unknown', why: 'the connection to tmux is closed' });
        const timer = setTimeout(() => fail(`tmux did not answer within ${timeoutMs} ms`), timeoutMs);
        pending.push({ settle, timer });
        child.stdin.write(`${commandLine(command)}\n`);
      });

    const end = async (): Promise<void> => {
      ending = true;
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), leaveMs);
      await exited;
      clearTimeout(timer);
    };

    const take = (event: ControlEvent): void => {
      if (event.kind === 'notification') {
        if (event.name === 'exit') trouble ||= `tmux ended the connection ${event.rest}`.trim();
        options.onNotification(event.name, event.rest);
        return;
      }
      if (event.kind === 'stray') return;
      if (!event.own) {
        if (attached) return;
        if (!event.ok) {
          fail(event.lines.join(' '));
          return;
        }
        attached = true;
        clearTimeout(attachTimer);
        resolve({ run, end });
        return;
      }
      const next = pending.shift();
      if (!next) return;
      clearTimeout(next.timer);
      next.settle(
        event.ok ? { kind: 'ok', lines: event.lines } : { kind: 'error', message: event.lines.join('\n').trim() },
      );
    };

    child.stdout.on('data', (chunk: Buffer) => {
      for (const event of parser.push(chunk)) take(event);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      trouble ||= chunk.toString().trim();
    });
    child.stdin.on('error', () => {});
    child.once('error', (error) => {
      trouble = `tmux could not be started: ${error.message}`;
    });
    void exited.then(async () => {
      ended = true;
      clearTimeout(attachTimer);
      // Ended by us with nothing unanswered: nobody waits to hear whether the server is gone, too.
      if (ending && attached && pending.length === 0) return;
      const how: Down = (await socketIsGone(socket, closingMs))
        ? { kind: 'gone', why: `no tmux server listens at ${socket}` }
        : { kind: 'unknown', why: trouble || 'the connection to tmux ended' };
      for (const { settle, timer } of pending.splice(0)) {
        clearTimeout(timer);
        settle(how);
      }
      if (!attached) resolve(how);
      else if (!ending) options.onEnd(how);
    });
  });
}
