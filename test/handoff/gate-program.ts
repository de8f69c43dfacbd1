/** The Node form as a program, for cases that need a process of its own: bundled once a run, as the build does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

export interface GateProgram {
  path: string;
  remove(): void;
}

/** `serve` as its one argument makes it answer one call for each line of input: `{args, cwd}` in, the exit code out. */
export async function buildGateProgram(): Promise<GateProgram> {
  const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-gate-`));
  await build({
    entryPoints: { gate: new URL('gate-entry.ts', import.meta.url).pathname },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'silent',
  });
  return { path: join(folder, 'gate.mjs'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
