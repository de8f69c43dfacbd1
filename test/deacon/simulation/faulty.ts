/** The simulation built from the patrol's own sources, with a fault planted in one of them or none. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { tellHistory } from './history.ts';

const root = new URL('../../..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), `gt-test-${process.pid}-simulation-`));
export const removeSimulations = (): void => rmSync(folder, { recursive: true, force: true });

interface Edit {
  /** File under src/domain, the text that must be in it exactly once, and what takes its place. */
  file: string;
  find: string;
  put: string;
}

export interface Fault extends Edit {
  /** A second place that guards against the same. */
  also?: Edit;
  /** What the run says of it. */
  caught: RegExp;
}

export type TellHistory = typeof tellHistory;

/** The simulation with one text of one source file replaced. */
export async function simulationWith(fault: Fault | null): Promise<TellHistory> {
  const edits = fault ? [fault, ...(fault.also ? [fault.also] : [])] : [];
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/deacon/simulation/history.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    outfile: join(folder, 'simulation.mjs'),
    plugins: [
      {
        name: 'fault',
        setup: ({ onLoad }) => {
          onLoad({ filter: /src.domain.*\.ts$/ }, (args) => {
            const edit = edits.find(({ file }) => args.path === join(root, 'src/domain', file));
            if (!edit) return null;
            const text = readFileSync(args.path, 'utf8');
            if (text.split(edit.find).length !== 2) throw new Error(`${edit.file} does not hold once: ${edit.find}`);
            return { contents: text.replace(edit.find, edit.put), loader: 'ts' };
          });
        },
      },
    ],
  });
  const code = outputFiles[0]?.text ?? '';
  const file = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(file, code);
  return ((await import(pathToFileURL(file).href)) as { tellHistory: TellHistory }).tellHistory;
}

/** Tells `runs` histories; what must hold is held by each, and all that may happen happened often. */
export function holdHistories(tell: TellHistory, runs: number): void {
  const sum = { nudges: 0, restarts: 0, escalations: 0, starts: 0, jumps: 0 };
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const told = tell(seed);
      for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += told.counts[key];
      return told.violation === null;
    }),
    // The same histories in every run; another seed is other ones.
    { numRuns: runs, endOnFailure: true, seed: Number(process.env['GASTOWN_SEED'] ?? 2_026) },
  );
  for (const count of Object.values(sum)) expect(count).toBeGreaterThan(runs / 10);
}
