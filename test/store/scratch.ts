/** A scratch folder that is gone after the test, and real Node processes that import the store as it is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach } from 'vitest';

const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function scratch(name = 'store', parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, `gt-test-${process.pid}-${name}-`)));
  folders.push(folder);
  return folder;
}

/** The same in memory where the system has that: thousands of flushes cost nothing, and order and locks are the same. */
export const memoryScratch = (): string => scratch('store', existsSync('/dev/shm') ? '/dev/shm' : tmpdir());

let bundles: string | null = null;
afterAll(() => {
  if (bundles !== null) rmSync(bundles, { recursive: true, force: true });
});

/** Bundles `test/store/programs/<name>.ts`, once a test file, and answers the program's path. */
export async function program(name: string): Promise<string> {
  bundles ??= realpathSync(mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-programs-`)));
  const outfile = join(bundles, `${name}.mjs`);
  await build({
    entryPoints: [new URL(`programs/${name}.ts`, import.meta.url).pathname],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: "import { createRequire as c } from 'node:module'; const require = c(import.meta.url);" },
  });
  return outfile;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Starts a Node process; `ended` tells what came of it, `said` resolves when `text` shows on its stdout. */
export function start(file: string, ...args: string[]) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const waiting: { text: string; done: () => void }[] = [];
  child.stdout.on('data', (data) => {
    stdout += data;
    for (const { text, done } of waiting) if (stdout.includes(text)) done();
  });
  const ended = new Promise<Ended>((done) => {
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
  const said = (text: string): Promise<void> =>
    new Promise((done) => {
      if (stdout.includes(text)) done();
      else waiting.push({ text, done });
    });
  return { child, ended, said };
}

/** Waits until `holds`, looking every few milliseconds; fails after thirty seconds, naming what was waited for. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited thirty seconds for: ${what}`);
    await new Promise((done) => setTimeout(done, 5));
  }
}
