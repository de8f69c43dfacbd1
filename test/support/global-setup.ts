/**
 * Builds `dist` once before the suites, when it is older than what it is made from: tests of processes run the bundle.
 * While the tree does not build, suites that need no process still run; `npm test` itself builds first and fails.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;

export default function setup(): void {
  if (process.env['GASTOWN_DIST_CHECKED']) return;
  process.env['GASTOWN_DIST_CHECKED'] = '1';
  const inputs = ['src', 'layouts', '.config/build.mjs', 'package-lock.json'].map((path) => newestMs(join(root, path)));
  if (newestMs(join(root, 'dist/gastown.cjs')) > Math.max(...inputs)) return;
  const build = spawnSync(process.execPath, [join(root, '.config/build.mjs')], { encoding: 'utf8' });
  if (build.status === 0) return;
  process.stderr.write(`dist was not built, tests of processes will fail or see an older one:\n${build.stderr}\n`);
}

/** The newest modification in a file or folder; 0 where there is none. */
function newestMs(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(stats.mtimeMs, ...names.map((name) => mtimeMs(join(path, name))));
}

const mtimeMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
