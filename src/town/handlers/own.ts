/**
 * A town's own handlers: `.chipset/handlers/*.mjs`. Code of a repository runs on events only after the operator approved
 * that very file, by the hash of its bytes (decision 18). What runs are those bytes: a file of them, as a module of its own
 * that can load Node's modules and nothing beside it.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, refused, usage } from '../../domain/errors.ts';
import { asObject, type EventKind, eventKinds, textAt } from '../../domain/event.ts';
import type { OwnHandler } from '../../domain/handlers/in-force.ts';
import { isHandler } from '../../domain/handlers/names.ts';
import { type ToolKind, toolKinds } from '../../domain/handlers/tools.ts';
import { isId } from '../../domain/ids.ts';
import { checkedBy, listOf, number, objectOf, text } from '../../domain/shape.ts';
import type { StatePaths } from '../../store/paths.ts';
import { handlerSlot, readState, type StatePlace, writeState } from '../state.ts';

const trustedShape = checkedBy<{ handlers: OwnHandler[] }>(
  objectOf({
    handlers: listOf(
      objectOf({ name: text, file: text, sha256: text, priority: number, looks: listOf(objectOf({ kind: text })) }),
    ),
  }),
);

const slotOf = (place: StatePlace) => handlerSlot(place, 'trusted', null, trustedShape);

export const ownFolder = ({ chipsetDir }: Pick<StatePaths, 'chipsetDir'>): string => join(chipsetDir, 'handlers');

/** What the operator approved, whether or not the files are still the same. */
export function trustedHandlers(place: StatePlace): readonly OwnHandler[] {
  const read = readState(place, slotOf(place));
  return read.kind === 'ok' ? read.value.handlers : [];
}

export interface OwnFile {
  file: string;
  state: 'trusted' | 'changed' | 'untrusted' | 'missing';
  trusted: OwnHandler | null;
}

/** Every file there is, and every approval whose file is gone. */
export function ownFiles(place: StatePlace): OwnFile[] {
  const trusted = trustedHandlers(place);
  const files = namesIn(ownFolder(place.paths)).filter((name) => name.endsWith('.mjs'));
  return [...new Set([...files, ...trusted.map(({ file }) => file)])].sort().map((file) => {
    const known = trusted.find((one) => one.file === file) ?? null;
    const bytes = readOwn(place.paths, file);
    if (bytes === null) return { file, state: 'missing', trusted: known };
    if (known === null) return { file, state: 'untrusted', trusted: null };
    return { file, state: hashOf(bytes) === known.sha256 ? 'trusted' : 'changed', trusted: known };
  });
}

/** Approves a file as it is now. Runs it once, to learn its name and its events. Throws exit 1 for one that is no handler. */
export async function trustOwn(place: StatePlace, file: string): Promise<OwnHandler> {
  const name = file.split('/').at(-1) ?? '';
  const bytes = readOwn(place.paths, name);
  if (!/^[a-z][a-z0-9-]{0,30}\.mjs$/.test(name) || bytes === null) {
    throw usage(
      `there is no handler ${JSON.stringify(name.slice(0, 60))} in .chipset/handlers`,
      'files are called <name>.mjs',
    );
  }
  const handler = { ...described(name, await load(bytes)), file: name, sha256: hashOf(bytes) };
  await writeState(place, slotOf(place), (current) => ({
    handlers: [...(current?.handlers ?? []).filter((one) => one.file !== name), handler],
  }));
  return handler;
}

/** Takes an approval back; throws exit 3 where there is none. */
export async function distrustOwn(place: StatePlace, file: string): Promise<void> {
  const name = file.split('/').at(-1) ?? '';
  const before = trustedHandlers(place);
  if (!before.some((one) => one.file === name)) throw refused(`${name} is not trusted`, 'see gastown handlers list');
  await writeState(place, slotOf(place), (current) => ({
    handlers: (current?.handlers ?? []).filter((one) => one.file !== name),
  }));
}

type OwnCode = (given: object) => unknown;

/** The approved code of a handler. Throws where its file is gone or is another one by now. */
export async function loadOwn(paths: StatePaths, { file, sha256 }: OwnHandler): Promise<OwnCode> {
  const bytes = readOwn(paths, file);
  if (bytes === null) throw new Error(`${file} is gone`);
  if (hashOf(bytes) !== sha256)
    throw new Error(`${file} has changed since it was trusted: gastown handlers trust ${file}`);
  const { handle } = await load(bytes);
  if (typeof handle !== 'function') throw new Error(`${file} has no handle()`);
  return handle as OwnCode;
}

/** From the bytes themselves: a file could be another one a moment later. */
async function load(bytes: Buffer): Promise<Readonly<Record<string, unknown>>> {
  try {
    const loaded = (await import(`data:text/javascript;base64,${bytes.toString('base64')}`)) as { default?: unknown };
    return asObject(loaded.default) ?? {};
  } catch (error) {
    throw usage(`the handler cannot be loaded: ${errorText(error)}`, 'it may import modules of Node, and nothing else');
  }
}

function described(
  file: string,
  code: Readonly<Record<string, unknown>>,
): Pick<OwnHandler, 'name' | 'looks' | 'priority'> {
  const name = textAt(code, 'name') ?? file.slice(0, -4);
  const shape = 'export default {name, events, priority, handle}';
  if (!isId('agent', name) || isHandler(name))
    throw usage(`${file}: its name cannot be used: ${JSON.stringify(name)}`, shape);
  if (typeof code['handle'] !== 'function') throw usage(`${file} has no handle()`, shape);
  const events = Array.isArray(code['events']) ? code['events'] : [];
  const kinds = events.map((event) => kindOf(String(event)));
  if (kinds.length === 0 || kinds.includes(null))
    throw usage(`${file}: events are some of ${eventKinds.join(', ')}`, shape);
  const wished = Array.isArray(code['tools']) ? code['tools'].map(String) : null;
  const tools = toolKinds.filter((kind): kind is ToolKind => wished?.includes(kind) ?? true);
  const priority = Number(code['priority'] ?? 100);
  return {
    name,
    priority: Number.isFinite(priority) ? priority : 100,
    looks: (kinds as EventKind[]).map((kind) => (kind.startsWith('tool_') ? { kind, tools } : { kind })),
  };
}

const seedNames: Readonly<Record<string, EventKind>> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'tool_start',
  PostToolUse: 'tool_end',
  PermissionRequest: 'permission',
  SubagentStart: 'subagent_start',
  SubagentStop: 'subagent_end',
  Stop: 'stop',
  PreCompact: 'compact_start',
  PostCompact: 'compact_end',
  SessionEnd: 'session_end',
};

const kindOf = (word: string): EventKind | null =>
  seedNames[word] ?? eventKinds.find((kind) => kind === word && kind !== 'other') ?? null;

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function readOwn(paths: StatePaths, file: string): Buffer | null {
  try {
    return readFileSync(join(ownFolder(paths), file));
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
