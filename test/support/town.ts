/**
 * Scratch towns for tests of whole programs: a repository, a HOME and a socket folder of their own, the built
 * `dist/gastown.cjs` run as people and agents run it, and an end that leaves no process and no file.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Hook } from '../../src/domain/hook.ts';
import type { TownStatus } from '../../src/domain/status.ts';

export const packageFolder = new URL('../..', import.meta.url).pathname;
export const gastownProgram = join(packageFolder, 'dist/gastown.cjs');

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  cwd?: string;
  input?: string;
  env?: Readonly<Record<string, string | undefined>>;
  timeoutMs?: number;
}

export interface ScratchTown {
  /** Holds everything: `repo`, `home`, `run` (socket folder), `bin` (first on PATH). */
  folder: string;
  /** Real path of the repository: the town's root. */
  root: string;
  stateDir: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `gastown …words`, without a terminal. */
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** `gt …words`, as the agent's shell tool would. */
  gt(agentId: string, words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The JSON that a command prints; throws when it fails. */
  json<T>(words: readonly string[]): Promise<T>;
  status(): Promise<TownStatus>;
  /** Files below the root. */
  write(path: string, text: string): void;
  read(path: string): string;
  hook(agentId: string): Hook;
  /** An executable script, found on PATH before anything else. */
  program(name: string, script: string): void;
  git(...words: string[]): string;
  stop(): Promise<void>;
}

export interface ScratchWish {
  /** Text of `gastown.yaml`; null for none. Two sims unless given. */
  config?: string | null;
  /** Whether it is a git repository with one commit; true unless given. */
  git?: boolean;
  /** Name of the repository's folder. */
  name?: string;
  env?: Readonly<Record<string, string>>;
}

const twoSims = 'agents:\n  - {name: polecat, runtime: sim, count: 2}\n';

export function scratchTown({
  config = twoSims,
  git = true,
  name = 'repo',
  env: more = {},
}: ScratchWish = {}): ScratchTown {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-`)));
  const root = join(folder, name);
  for (const part of [name, 'home', 'bin']) mkdirSync(join(folder, part));
  mkdirSync(join(folder, 'run'), { mode: 0o700 });
  const env = {
    HOME: join(folder, 'home'),
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    XDG_RUNTIME_DIR: join(folder, 'run'),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    GASTOWN_TEST: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    ...more,
  };
  const runGit = (cwd: string, ...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...words], {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  if (git) cpSync(templateRepository(runGit), root, { recursive: true });
  if (config !== null) writeFileSync(join(root, 'gastown.yaml'), config);

  const run: ScratchTown['run'] = (words, options = {}) =>
    runNode([gastownProgram, ...words], { cwd: root, ...options, env: { ...env, ...options.env } });
  const json = async <T>(words: readonly string[]): Promise<T> => {
    const ran = await run([...words, '--json']);
    if (ran.code !== 0) throw new Error(`gastown ${words.join(' ')} → ${ran.code}: ${ran.err}${ran.out}`);
    return JSON.parse(ran.out) as T;
  };
  const stateDir = join(root, '.chipset/state');
  return {
    folder,
    root,
    stateDir,
    env,
    run,
    json,
    gt: (agentId, words, options = {}) =>
      run(['--as-agent', ...words], {
        ...options,
        env: { GT_AGENT_ID: agentId, GT_STATE_DIR: stateDir, ...options.env },
      }),
    status: () => json<TownStatus>(['status']),
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    hook: (agentId) => JSON.parse(readFileSync(join(stateDir, 'hooks', `${agentId}.json`), 'utf8')) as Hook,
    program: (program, script) => writeFileSync(join(folder, 'bin', program), script, { mode: 0o755 }),
    git: (...words) => runGit(root, ...words),
    async stop() {
      if (existsSync(join(stateDir, 'town.json'))) await run(['down'], { timeoutMs: 30_000 });
      endOwnProcesses(folder);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

let template: string | null = null;

/** One commit, made once a process: starting git four times for each town would cost more than most tests. */
function templateRepository(git: (folder: string, ...words: string[]) => string): string {
  if (template !== null) return template;
  const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  git(folder, 'init', '-q', '--template=', '-b', 'main');
  writeFileSync(join(folder, 'README.md'), '# scratch\n');
  writeFileSync(join(folder, '.gitignore'), '.chipset/\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
  template = folder;
  return folder;
}

/** Runs Node and collects what it prints; `code` is null when it had to be killed at its time limit. */
export function runNode(argv: readonly string[], { cwd, input, env, timeoutMs = 20_000 }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      ...(cwd === undefined ? {} : { cwd }),
      env: env as NodeJS.ProcessEnv,
    });
    const ran = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      ran.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      ran.err += text;
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    const limit = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code, ...ran });
    });
  });
}

/**
 * Kills what still runs out of this scratch folder, known by the folder's name in its environment or its arguments. On a
 * system without /proc the `down` before has to do.
 */
function endOwnProcesses(folder: string): void {
  if (!existsSync('/proc/self/environ')) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    if (!mentions(`/proc/${pid}/environ`, folder) && !mentions(`/proc/${pid}/cmdline`, folder)) continue;
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

function mentions(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(text);
  } catch {
    return false;
  }
}
