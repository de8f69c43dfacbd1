/** The programs in `.chipset/bin`: what agents call as `gt` and what runtimes call as `gt-event`. */
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../domain/quote.ts';
import { writeAtomic } from '../store/atomic-write.ts';
import type { Town } from './context.ts';
import { entryScript } from './events/entry-script.ts';

/** Writes what is missing or out of date; a script in use is replaced whole, never changed under its reader. */
export function writeBinScripts(town: Pick<Town, 'binDir' | 'distDir' | 'node'>): void {
  const program = (name: string): string => join(town.distDir, name);
  const scripts = {
    gt: gtScript(town.node, program('gastown.cjs')),
    'gt-event': entryScript({ node: town.node, eventProgram: program('event.cjs') }),
  };
  for (const [name, text] of Object.entries(scripts)) {
    const path = join(town.binDir, name);
    if (textOf(path) !== text) writeAtomic(path, text);
    chmodSync(path, 0o700);
  }
}

/** The Node that started the town, whatever the agent's PATH says; none of the project's own NODE_OPTIONS. */
export const gtScript = (node: string, program: string): string => `#!/bin/sh
# Written by gastown.
unset NODE_OPTIONS
exec ${shellWord(node)} ${shellWord(program)} --as-agent "$@"
`;

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
