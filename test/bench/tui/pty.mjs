// Programs on a pseudo terminal of a given size (by `script` of util-linux), and the two Ink programs that are compared.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = new URL('../../..', import.meta.url).pathname;

/** Bundles the programs as they are shipped (production React, Ink a chunk of its own), inside the package, as `dist` is. */
export async function buildPrograms(entries) {
  const folder = join(root, 'node_modules/.cache', `gt-bench-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    jsx: 'automatic',
    minifySyntax: true,
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    external: ['better-sqlite3', 'fsevents'],
    alias: { 'react-devtools-core': './.config/nothing.mjs' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
  return (name) => join(folder, `${name}.mjs`);
}

/** A town of files alone: `polecat-1` … in its gastown.yaml, nothing started. Answers its folder, removed at the end. */
export function makeTown(agents) {
  const town = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-town-`));
  process.on('exit', () => rmSync(town, { recursive: true, force: true }));
  mkdirSync(join(town, '.chipset/state/hooks'), { recursive: true, mode: 0o700 });
  const lines = Array.from(
    { length: agents },
    (_, index) => `  - {id: polecat-${index + 1}, role: polecat, runtime: sim}\n`,
  );
  writeFileSync(join(town, 'gastown.yaml'), `agents:\n${lines.join('')}`);
  return town;
}

/** Starts `node program` on a terminal, in `cwd`. `seen(pattern)` resolves with the time the text came, ms of `performance.now`. */
export function startOnTerminal(program, { columns = 120, rows = 40, env = {}, cwd = root } = {}) {
  // Where CI is set, plain Ink prints nothing until the end.
  const { CI: _ci, NO_COLOR: _noColor, ...own } = process.env;
  const command = `stty rows ${rows} cols ${columns}; echo pid=$$; exec ${process.execPath} ${program}`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...own, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let text = '';
  let bytes = 0;
  const waiting = new Set();
  child.stdout.on('data', (chunk) => {
    bytes += chunk.length;
    text += chunk;
    const at = performance.now();
    for (const wait of waiting) {
      if (!wait.pattern.test(plain(text))) continue;
      waiting.delete(wait);
      wait.resolve(at);
    }
    if (text.length > 200_000) text = text.slice(-100_000);
  });
  return {
    write: (keys) => child.stdin.write(keys),
    seen: (pattern) =>
      new Promise((resolve) => {
        if (pattern.test(plain(text))) resolve(performance.now());
        else waiting.add({ pattern, resolve });
      }),
    /** Only text from now on counts. */
    forget: () => {
      text = '';
    },
    bytes: () => bytes,
    pid: () => Number(/pid=(\d+)/.exec(text)?.[1]),
    async stop(pid) {
      const ended = new Promise((resolve) => child.once('close', resolve));
      process.kill(pid, 'SIGTERM');
      await ended;
    },
  };
}

const plain = (text) => text.replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, '');

/** CPU seconds and resident megabytes of a process so far. */
export function usage(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const ticksPerSecond = 100;
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return { cpu_s: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, rss_mb: (pages * 4096) / 1e6 };
}

export const quantile = (list, q) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))];
export const round = (value, digits = 1) => Number(value.toFixed(digits));
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
