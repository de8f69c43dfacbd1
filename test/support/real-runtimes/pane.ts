/** One program in one pane of a private tmux server: what a launch plan is proven with, below the town's own driver. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { shellWord } from '../../../src/domain/quote.ts';
import type { LaunchPlan } from '../../../src/domain/runtime.ts';
import type { Screen } from '../../../src/domain/screen.ts';

const run = promisify(execFile);

export interface Pane {
  /** Socket of its server, absolute; the pane's id there and the pid of its root. */
  readonly socket: string;
  readonly pane_id: string;
  readonly pid: number;
  screen(): Promise<Screen>;
  /** Waits until `answer` gives something for the screen; after `seconds` fails with the screen in the message. */
  until<T>(what: string, answer: (screen: Screen) => T | undefined | null | false, seconds?: number): Promise<T>;
  /** Bracketed paste of `text`, without a submit key: what a human leaves half typed. */
  paste(text: string): Promise<void>;
  /** tmux key names. */
  keys(...names: string[]): Promise<void>;
  /** Presses `key` until `gone` holds: a dialog that was only just drawn may drop the first keys it is given. */
  answer(key: string, gone: (screen: Screen) => boolean): Promise<void>;
  /** Exit code of the program; null while it runs. */
  exitCode(): number | null;
  /** Waits for the end of the program. */
  ended(seconds?: number): Promise<number>;
  /** Stops the server and everything in the pane. */
  close(): Promise<void>;
}

export interface PaneOptions {
  /** Scratch folder, short enough for a socket; holds socket, runner and exit code. */
  folder: string;
  cwd: string;
  plan: LaunchPlan;
  /** Environment the pane inherits; nothing else of ours reaches it. */
  env: Readonly<Record<string, string>>;
  size?: { columns: number; rows: number };
}

export async function openPane({
  folder,
  cwd,
  plan,
  env,
  size = { columns: 120, rows: 40 },
}: PaneOptions): Promise<Pane> {
  const socket = join(folder, 't');
  const exitFile = join(folder, 'exit');
  const tmuxEnv = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', TERM: 'xterm-256color', HOME: folder };
  const tmux = async (...words: string[]): Promise<string> =>
    (await run('tmux', ['-S', socket, '-u', '-f', '/dev/null', ...words], { env: tmuxEnv })).stdout;
  for (const file of plan.files) {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.text, { mode: 0o600 });
  }
  const runner = join(folder, 'runner.sh');
  const variables = {
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    SHELL: '/bin/sh',
    ...env,
    ...plan.env,
  };
  const set = Object.entries(variables).filter((pair): pair is [string, string] => pair[1] !== null);
  const words = ['env', '-i', ...set.map(([name, value]) => `${name}=${value}`), ...plan.argv].map(shellWord);
  writeFileSync(
    runner,
    `trap '' HUP\n${words.join(' ')}\necho $? > ${shellWord(`${exitFile}.new`)}\nmv ${shellWord(`${exitFile}.new`)} ${shellWord(exitFile)}\n`,
  );
  const made = await tmux(
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pane_id} #{pane_pid}',
    '-s',
    'p',
    '-x',
    `${size.columns}`,
    '-y',
    `${size.rows}`,
    '-c',
    cwd,
    `sh ${shellWord(runner)}`,
    ';',
    'set',
    '-g',
    'remain-on-exit',
    'on',
  );

  const [, pane_id = '', pid = ''] = /^(%\d+) (\d+)/.exec(made) ?? [];

  const screen = async (): Promise<Screen> => {
    const [plain, styled, facts] = await Promise.all([
      tmux('capture-pane', '-p', '-t', 'p'),
      tmux('capture-pane', '-p', '-e', '-t', 'p'),
      tmux('display-message', '-p', '-t', 'p', '#{cursor_x} #{cursor_y} #{pane_title}'),
    ]);
    const [, x, y, title = ''] = /^(\d+) (\d+) (.*)/.exec(facts) ?? [];
    const lines = (text: string): string[] => text.split('\n').map((line) => line.trimEnd());
    return {
      lines: lines(plain),
      styled: lines(styled),
      title,
      cursor: { x: Number(x), y: Number(y) },
    };
  };

  const until: Pane['until'] = async (what, answer, seconds = 60) => {
    const end = Date.now() + seconds * 1000;
    for (;;) {
      const now = await screen();
      const found = answer(now);
      if (found !== undefined && found !== null && found !== false) return found;
      if (Date.now() > end) {
        throw new Error(
          `waited ${seconds} s for ${what}; title ${JSON.stringify(now.title)}; screen:\n${now.lines.join('\n').trimEnd()}`,
        );
      }
      await sleep(100);
    }
  };
  const keys: Pane['keys'] = async (...names) => {
    await tmux('send-keys', '-t', 'p', ...names);
  };
  const answer: Pane['answer'] = async (key, gone) => {
    for (let press = 0; press < 10; press += 1) {
      await keys(key);
      if (await until(`the answer ${key}`, gone, 3).catch(() => false)) return;
    }
    await until(`the answer ${key}`, gone, 1);
  };
  const exitCode = (): number | null => (existsSync(exitFile) ? Number(readFileSync(exitFile, 'utf8')) : null);

  return {
    socket,
    pane_id,
    pid: Number(pid),
    screen,
    until,
    paste: async (text) => {
      const file = join(folder, 'paste');
      writeFileSync(file, text);
      await tmux('load-buffer', '-b', 'paste', file, ';', 'paste-buffer', '-p', '-r', '-d', '-b', 'paste', '-t', 'p');
    },
    keys,
    answer,
    exitCode,
    ended: async (seconds = 30) => {
      const end = Date.now() + seconds * 1000;
      while (exitCode() === null) {
        if (Date.now() > end)
          throw new Error(`still running after ${seconds} s:\n${(await screen()).lines.join('\n').trimEnd()}`);
        await sleep(50);
      }
      return exitCode() ?? -1;
    },
    close: async () => {
      const pids = await tmux('list-panes', '-a', '-F', '#{pane_pid}').catch(() => '');
      const tree = await descendants(
        pids
          .split('\n')
          .filter((pid) => /^\d+$/.test(pid))
          .map(Number),
      );
      await tmux('kill-server').catch(() => '');
      // Some CLIs outlive their terminal: end what this pane had started, and nothing else.
      for (const pid of tree) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It is gone already.
        }
      }
    },
  };
}

/** The processes and all they started, as they are now. */
async function descendants(roots: readonly number[]): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [...roots];
  for (let index = 0; index < found.length; index += 1) {
    for (const [pid, parent] of rows)
      if (parent === found[index] && pid !== undefined && !found.includes(pid)) found.push(pid);
  }
  return found;
}
