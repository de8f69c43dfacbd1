/** Why no event of an agent's runtime arrives: what its row says of one that has its events and is silent all the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runtimeOf } from '../../runtimes/registry.ts';
import type { Town } from '../context.ts';

/**
 * The likeliest cause, told by one look at a file; null where the operator has chosen to go without events, or the runtime
 * has none: then silence is no news. `gastown events verify` looks closer.
 */
export function silentCause(town: Pick<Town, 'config' | 'env' | 'root' | 'binDir'>, runtime: string): string | null {
  const { descriptor, eventSettings } = runtimeOf(runtime, town.config.runtimes);
  if (descriptor.events === 'settings-flag') {
    return 'the folder is not trusted yet, or the settings of the start were replaced';
  }
  const home = town.env['HOME'];
  if (eventSettings === null || !home) return null;
  const { path } = eventSettings({ home, tree: town.root, gtEvent: join(town.binDir, 'gt-event') });
  if (!mentionsEntry(path)) return null;
  return descriptor.id === 'codex'
    ? 'installed but not trusted: approve the hooks in Codex; its first event comes with the first prompt'
    : 'installed but silent: start the agent again; an untrusted folder has no events';
}

/** Every entry of ours goes by this variable of the pane. */
function mentionsEntry(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes('GT_EVENT_BIN');
  } catch {
    return false;
  }
}
