/** `gastown init`: a configuration for the agent programs this machine has, and `.chipset/` out of git's sight. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEntry } from '../domain/config.ts';
import { simEntries } from '../domain/config-parse.ts';
import { renderConfig } from '../domain/config-render.ts';
import { findBinary } from '../runtimes/find-binary.ts';
import { runtimeIds, runtimeOf } from '../runtimes/registry.ts';
import { appendText, createText, readPlainText } from '../store/plain-file.ts';
import type { Town } from './context.ts';
import { note } from './note.ts';

export interface InitReport {
  /** Absolute path, and whether it was written now or was there before. */
  config: { path: string; did: 'written' | 'kept' };
  ignored: { path: string; did: 'written' | 'kept' } | null;
  /** Runtimes whose program is on PATH. */
  found: string[];
}

/** Changes nothing that is there already. */
export async function init(town: Town): Promise<InitReport> {
  const found = await findRuntimes(town);
  const path = join(town.root, 'gastown.yaml');
  const written = createText(path, renderConfig(entriesFor(found)));
  const report: InitReport = {
    config: { path, did: written ? 'written' : 'kept' },
    ignored: existsSync(join(town.root, '.git')) ? ignoreState(town.root) : null,
    found,
  };
  if (written) note(town, 'town.init', 'gastown.yaml was written');
  return report;
}

/** Two of the first one found, one of each other; two simulated ones where none is found. */
export function entriesFor(found: readonly string[]): readonly AgentEntry[] {
  if (found.length === 0) return simEntries;
  return found.map((runtime, index) =>
    index === 0 ? { name: 'polecat', runtime, count: 2 } : { id: `polecat-${runtime}`, runtime },
  );
}

/** Runtimes other than `sim` whose program is on the PATH of the town's environment. */
export async function findRuntimes(town: Town): Promise<string[]> {
  const ids = runtimeIds.filter((id) => id !== 'sim');
  const programs = await Promise.all(
    ids.map((id) => findBinary(runtimeOf(id).descriptor.command, town.env['PATH'] ?? '', town.root)),
  );
  return ids.filter((_, index) => programs[index] !== null);
}

const ignoreLine = '.chipset/';
const ignoreLimitBytes = 4_000_000;

export function ignoreState(root: string): InitReport['ignored'] {
  const path = join(root, '.gitignore');
  const text = existsSync(path) ? readPlainText(path, ignoreLimitBytes) : '';
  if (text.split(/\r?\n/).some((line) => /^\/?\.chipset\/?$/.test(line.trim()))) return { path, did: 'kept' };
  appendText(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${ignoreLine}\n`);
  return { path, did: 'written' };
}
