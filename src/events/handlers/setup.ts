/** What a session needs to be there: the folders of the state, and `gt` for Claude's own shell, whose PATH login files reset. */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellWord } from '../../domain/quote.ts';
import type { EventHandler } from '../handler.ts';

export const setupHandler: EventHandler = {
  name: 'setup',
  events: ['session_start'],
  priority: 3,
  enabled: ({ event }) => event.subagent === null,
  handle: ({ store, env }) => {
    const { paths } = store;
    for (const folder of [paths.heartbeatDir, paths.handlersDir, paths.locksDir]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    }
    const file = env['CLAUDE_ENV_FILE'];
    const line = `export PATH=${shellWord(join(paths.binDir))}:"$PATH"`;
    if (file && !textOf(file).includes(line)) appendFileSync(file, `${line}\n`);
    return null;
  },
};

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
