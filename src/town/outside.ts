/** What lies outside the state and is still shown: the configuration's file and the handoffs of the trees. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from 'chokidar';
import { hookFile } from '../domain/handoff.ts';
import { toLine } from '../domain/json.ts';
import type { Town } from './context.ts';

export interface OutsideEvents {
  onHandoff(): void;
  /** A standing notice about the configuration, or null when the file says what is in force. */
  onConfig(notice: string | null): void;
}

/**
 * Follows few files that change seldom, come and go, and are saved in every way editors know: chokidar's field. (The
 * state's folders have a watcher of their own, `store/watch.ts`.)
 */
export function watchOutside(town: Town, { onHandoff, onConfig }: OutsideEvents): { close(): Promise<void> } {
  const config = join(town.root, 'gastown.yaml');
  const trees = [town.root, ...town.agents.map(({ agent_id: id }) => town.store.paths.worktree(id))];
  const watcher = watch([config, ...trees.map((tree) => join(tree, hookFile))], {
    ignoreInitial: true,
    atomic: true,
    followSymlinks: false,
  });
  watcher.on('all', (_event, path) => {
    if (path !== config) onHandoff();
    else void noticeOf(town, config).then(onConfig);
  });
  // What cannot be watched is still read every few seconds with the rest of the picture.
  watcher.on('error', () => {});
  void noticeOf(town, config).then(onConfig);
  return { close: () => watcher.close() };
}

async function noticeOf(town: Town, path: string): Promise<string | null> {
  if (town.recorded?.demo === true) return null;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const { parseConfig } = await import('../domain/config-parse.ts');
  try {
    const { config } = parseConfig(text, 'gastown.yaml');
    // The deacon takes `gupp` up by itself.
    const isInForce = toLine({ ...config, gupp: undefined }) === toLine({ ...town.config, gupp: undefined });
    return isInForce ? null : 'gastown.yaml was changed: it takes effect after gastown down and up';
  } catch (error) {
    return `gastown.yaml: ${error instanceof Error ? error.message : String(error)}`;
  }
}
