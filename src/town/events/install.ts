/**
 * The runtimes' hook systems as the operator handles them: install, verify, uninstall, and a canary that is fired
 * through the installed command line. Claude needs none of it: its settings go along with each start.
 */
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { AgentConfig } from '../../domain/config.ts';
import { refused, usage } from '../../domain/errors.ts';
import type { PlannedFile } from '../../domain/runtime.ts';
import { isGuardedCommand } from '../../runtimes/guarded-command.ts';
import {
  type HookEntries,
  type Merged,
  missingEntries,
  withEntries,
  withoutEntries,
} from '../../runtimes/hook-file.ts';
import { runtimeOf } from '../../runtimes/registry.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';
import { readSettings, writeSettings } from '../settings-file.ts';

export interface EventsPlace {
  runtime: string;
  /** The settings file; null where nothing has to be installed. */
  path: string | null;
  /** `with-start`: handed over at each start. `none`: this runtime has no events we use. */
  state: 'with-start' | 'none' | 'installed' | 'missing' | 'stale' | 'broken';
  /** In words: what was changed, what is missing, what is wrong, and what the operator still has to do. */
  detail: string;
}

/** The runtimes named, or those of the configured agents. A name nobody knows is a usage error (exit 1). */
export function eventRuntimes(town: Town, runtime: string | null): string[] {
  const known = (id: string): string => runtimeOf(id, town.config.runtimes).descriptor.id;
  return runtime === null ? [...new Set(town.agents.map((agent) => known(agent.runtime)))] : [known(runtime)];
}

/** The configured agents whose runtimes are among `places`. */
export const agentsOf = (town: Town, places: readonly EventsPlace[]): readonly AgentConfig[] =>
  town.agents.filter(({ runtime }) => {
    const { id } = runtimeOf(runtime, town.config.runtimes).descriptor;
    return places.some((place) => place.runtime === id);
  });

/** Whether the events of `runtime` are in place, as the files say. Never throws for a file that cannot be read. */
export function findEvents(town: Town, runtime: string): EventsPlace {
  const place = placeOf(town, runtime);
  if ('state' in place) return place;
  const { path, text } = place;
  try {
    const current = readSettings(path);
    if (isWhole(path)) {
      const state = current === null ? 'missing' : current === text ? 'installed' : 'stale';
      return { runtime, path, state, detail: state === 'installed' ? trustHint(runtime) : '' };
    }
    const missing = missingEntries(current, entriesOf(text));
    if (!Array.isArray(missing)) return { runtime, path, state: 'broken', detail: missing.why };
    const all = Object.keys(entriesOf(text)).length;
    const state = missing.length === 0 ? 'installed' : missing.length === all ? 'missing' : 'stale';
    const detail =
      state === 'installed'
        ? trustHint(runtime)
        : state === 'stale'
          ? `not as they should be: ${missing.join(', ')}`
          : '';
    return { runtime, path, state, detail };
  } catch (error) {
    return { runtime, path, state: 'broken', detail: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Adds our entries to what is there, once: a second call changes nothing. Throws exit 1 for a file that is not what it
 * should be and exit 3 for a read-only one; its bytes are then as they were.
 */
export async function installEvents(town: Town, runtime: string): Promise<EventsPlace> {
  const place = placeOf(town, runtime);
  if ('state' in place) return place;
  const { path, text } = place;
  const before = readSettings(path);
  if (isWhole(path)) {
    if (before !== null && before !== text && !before.startsWith(ownMark)) {
      throw usage(`${path} is not ours`, 'nothing was changed; move it away first');
    }
    if (before === text) return { runtime, path, state: 'installed', detail: 'nothing to change' };
    writeSettings(path, text);
    return done(town, { runtime, path, state: 'installed', detail: `wrote it; ${trustHint(runtime)}` });
  }
  const merged = withEntries(before, entriesOf(text), isGuardedCommand);
  if (merged.kind === 'broken') throw broken(path, merged.why);
  if (merged.kind === 'unchanged') return { runtime, path, state: 'installed', detail: 'nothing to change' };
  writeSettings(path, merged.text);
  if (merged.text !== null) await remember(town, runtime, { path, before, after: merged.text });
  return done(town, {
    runtime,
    path,
    state: 'installed',
    detail: `${merged.changes.join(', ')}; ${trustHint(runtime)}`,
  });
}

/** Takes our entries out. A file that nobody touched since becomes, byte for byte, what it was. */
export async function uninstallEvents(town: Town, runtime: string): Promise<EventsPlace> {
  const place = placeOf(town, runtime);
  if ('state' in place) return place;
  const { path, text } = place;
  const current = readSettings(path);
  const nothing: EventsPlace = { runtime, path, state: 'missing', detail: 'nothing of ours is there' };
  if (current === null) return nothing;
  if (isWhole(path)) {
    if (current !== text && !current.startsWith(ownMark)) return nothing;
    writeSettings(path, null);
    return done(town, { runtime, path, state: 'missing', detail: 'removed it' });
  }
  const remembered = installed(town, runtime).read();
  const was = remembered.kind === 'ok' && remembered.value.path === path ? remembered.value : null;
  const merged: Merged =
    was !== null && was.after === current
      ? { kind: 'changed', text: was.before, changes: ['as it was before'] }
      : withoutEntries(current, isGuardedCommand);
  if (merged.kind === 'broken') throw broken(path, merged.why);
  if (merged.kind === 'unchanged') return nothing;
  // An object that is empty now was empty before, unless the file was ours from the start.
  writeSettings(path, merged.text ?? (was === null || was.before !== null ? '{}\n' : null));
  return done(town, { runtime, path, state: 'missing', detail: merged.changes.join(', ') });
}

const ownMark = '// Written by gastown';

/** A file that is ours alone; all others are shared with the user. */
const isWhole = (path: string): boolean => path.endsWith('.js');

const broken = (path: string, why: string) => usage(`${path} was left as it is: ${why}`, 'mend it, then try again');

function placeOf(town: Town, runtime: string): PlannedFile | EventsPlace {
  const { descriptor, eventSettings } = runtimeOf(runtime, town.config.runtimes);
  if (eventSettings === null) {
    const state = descriptor.events === 'settings-flag' ? 'with-start' : 'none';
    const detail =
      state === 'with-start' ? 'nothing to install: its settings go along with each start' : 'it has no events we use';
    return { runtime, path: null, state, detail };
  }
  const home = town.env['HOME'];
  if (!home) throw refused('HOME is not set', `set it: the settings of ${runtime} lie there`);
  return eventSettings({ home, tree: town.root, gtEvent: join(town.binDir, 'gt-event') });
}

/** What the operator has to do besides; nothing is bypassed (decision 13). */
function trustHint(runtime: string): string {
  if (runtime !== 'codex') return 'it counts from the next start';
  return 'Codex asks once whether to trust these hooks, at its next start: review them there; outside a pane they do nothing';
}

const entriesOf = (text: string): HookEntries => (JSON.parse(text) as { hooks: HookEntries }).hooks;

function done(town: Town, place: EventsPlace): EventsPlace {
  note(town, 'events', `${place.runtime}: ${place.detail} (${place.path})`);
  return place;
}

/** What a file was before ours came in. In the town's own state: the file's owner never sees it. */
const installedSchema = z.looseObject({ path: z.string(), before: z.nullable(z.string()), after: z.string() });
type Installed = z.infer<typeof installedSchema>;

const installed = (town: Town, runtime: string) =>
  town.store.record(join('installed', `${runtime}.json`), installedSchema);

async function remember(town: Town, runtime: string, now: Installed): Promise<void> {
  await installed(town, runtime).update((known) => {
    // Installed again over what we had written: what it was before us is what it was then.
    const isOnTop = known !== null && known.path === now.path && known.after === now.before;
    return isOnTop ? { ...now, before: known.before } : now;
  });
}
