/** A throwaway tree with a handoff, and the gate's two forms run in it: Node in this process, the script in a shell. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runDissolve } from '../../src/cli/commands/dissolve.ts';

export type Form = 'node' | 'dash' | 'bash';
export const forms: readonly Form[] = ['node', 'dash', 'bash'];

const script = new URL('../../src/town/handoff/dissolve_hook.sh', import.meta.url).pathname;

export interface Result {
  code: number | null;
  out: string;
  err: string;
}

export interface Call {
  args: readonly string[];
  /** Below the tree or absolute; the tree itself by default. */
  cwd?: string;
  env?: Record<string, string>;
  /** The script of another tree; the fixture's own by default. */
  script?: string;
}

export const title = 'hush-hush title';
export const usualHandoff = `# Cycle 034 handoff — ${title}\n\n- open: the parser\n- stopped: at the tests\n`;

export class Fixture {
  /** Holds the tree and whatever a case puts beside it. */
  readonly base: string;
  readonly tree: string;
  readonly hook: string;

  constructor() {
    this.base = realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-handoff-`)));
    this.tree = join(this.base, 'repo');
    this.hook = join(this.tree, 'HOOK_NEXT_CYCLE.md');
    makeRepository(this.tree);
    mkdirSync(join(this.tree, 'bin'));
    copyFileSync(script, this.script);
  }

  get script(): string {
    return join(this.tree, 'bin', 'dissolve_hook.sh');
  }

  arm(content: string | Uint8Array = usualHandoff): void {
    writeFileSync(this.hook, content);
  }

  path(...parts: string[]): string {
    return join(this.tree, ...parts);
  }

  /** Names of archives, sorted. */
  archives(): string[] {
    return list(this.path('cycles')).filter((name) => name.startsWith('cycle-'));
  }

  /** Claims and partial copies: nothing of the sort may be left. */
  leftovers(): string[] {
    return [...list(this.tree), ...list(this.path('cycles'))].filter((name) => /\.claim-|\.partial-/.test(name));
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** The least that git takes for a repository; far cheaper than `git init`. */
export function makeRepository(folder: string): void {
  mkdirSync(join(folder, '.git', 'objects'), { recursive: true });
  mkdirSync(join(folder, '.git', 'refs'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
}

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Every entry below a folder with its kind, inode and content: equal before and after means untouched. */
export function snapshot(folder: string): string {
  const lines: string[] = [];
  const visit = (path: string): void => {
    const stat = lstatSync(path);
    const small = stat.isFile() && stat.size < 3_000_000;
    lines.push(`${path} ${stat.ino} ${stat.mode} ${stat.size} ${small ? sha256(readFileSync(path)) : ''}`);
    if (stat.isDirectory()) for (const name of list(path)) visit(join(path, name));
  };
  visit(folder);
  return lines.join('\n');
}

/** Runs one form of the gate. The shell forms start a process, the Node form runs here. */
export async function run(fixture: Fixture, form: Form, call: Call): Promise<Result> {
  const cwd = resolve(fixture.tree, call.cwd ?? '.');
  const env = { PATH: process.env['PATH'] ?? '', HOME: fixture.base, ...call.env };
  if (form !== 'node')
    return runProcess(programPath(form), [call.script ?? fixture.script, ...call.args], { cwd, env });
  const result: Result = { code: null, out: '', err: '' };
  const out = (text: string): void => {
    result.out += text;
  };
  const err = (text: string): void => {
    result.err += text;
  };
  result.code = await runDissolve(call.args, { out, err, env, cwd });
  return result;
}

const found = new Map<string, string>();

/** The full path of a program on this process's PATH: a case may run with one that has no shell on it. */
export function programPath(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(':');
  const path =
    found.get(name) ?? folders.map((folder) => join(folder, name)).find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`no ${name} on PATH`);
  found.set(name, path);
  return path;
}

export function runProcess(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string>; uid?: number },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const result: Result = { code: null, out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      result.out += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      result.err += String(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...result, code }));
  });
}
