/**
 * Merging our entries into a settings file that belongs to somebody else (JSON, with comments where its runtime allows
 * them): `{hooks: {<Event>: [{matcher?, hooks: [{type, command, timeout}]}]}}`, the shape Claude, Codex and Gemini share.
 * Text in, text out. Foreign entries and unknown keys keep their bytes (field report 39).
 */
import { applyEdits, type FormattingOptions, getNodeValue, modify, type ParseError, parseTree } from 'jsonc-parser';

export interface HookGroup {
  matcher?: string;
  hooks: readonly { command: string }[];
}
export type HookEntries = Readonly<Record<string, readonly HookGroup[]>>;

export type Merged =
  | { kind: 'unchanged' }
  /** `text` null: the file held nothing but ours and may go. `changes` in words, for people. */
  | { kind: 'changed'; text: string | null; changes: readonly string[] }
  /** Not ours to rewrite. */
  | { kind: 'broken'; why: string };

/** `isOurs` knows our commands of this and earlier versions. `current` is null for a file that is not there. */
export function withEntries(current: string | null, wanted: HookEntries, isOurs: (command: string) => boolean): Merged {
  const read = readHooks(current ?? '{}\n');
  if (typeof read === 'string') return { kind: 'broken', why: read };
  let text = current ?? '{}\n';
  const changes: string[] = [];
  for (const [event, groups] of Object.entries(wanted)) {
    const present = read[event] ?? [];
    const missing = groups.filter((group) => !present.some((one) => same(one, group)));
    const stale = present.some((one) => holdsOurs(one, isOurs) && !groups.some((group) => same(one, group)));
    if (missing.length === 0 && !stale) continue;
    if (stale) text = dropOurs(text, event, isOurs, (group) => groups.some((one) => same(group, one)));
    for (const group of missing) text = append(text, event, group);
    changes.push(`${stale ? 'renewed' : 'added'} ${event}`);
  }
  for (const [event, present] of Object.entries(read)) {
    if (Object.hasOwn(wanted, event) || !present.some((group) => holdsOurs(group, isOurs))) continue;
    text = dropOurs(text, event, isOurs, () => false);
    changes.push(`removed ${event}`);
  }
  return changes.length === 0 ? { kind: 'unchanged' } : { kind: 'changed', text, changes };
}

/** Takes every entry of ours out again; lists and objects that only held ours go with them. */
export function withoutEntries(current: string, isOurs: (command: string) => boolean): Merged {
  const read = readHooks(current);
  if (typeof read === 'string') return { kind: 'broken', why: read };
  let text = current;
  const changes: string[] = [];
  for (const [event, groups] of Object.entries(read)) {
    if (!groups.some((group) => holdsOurs(group, isOurs))) continue;
    text = dropOurs(text, event, isOurs, () => false);
    changes.push(`removed ${event}`);
  }
  if (changes.length === 0) return { kind: 'unchanged' };
  const left = getNodeValue(parseTree(text) ?? { type: 'object', offset: 0, length: 0 }) as Record<string, unknown>;
  return { kind: 'changed', text: Object.keys(left).length === 0 ? null : text, changes };
}

/** Which of the wanted events are not there as they should be; a file that is broken answers why. */
export function missingEntries(current: string | null, wanted: HookEntries): string[] | { why: string } {
  if (current === null) return Object.keys(wanted);
  const read = readHooks(current);
  if (typeof read === 'string') return { why: read };
  return Object.entries(wanted).flatMap(([event, groups]) =>
    groups.every((group) => (read[event] ?? []).some((one) => same(one, group))) ? [] : [event],
  );
}

type Hooks = Record<string, unknown[]>;

/** The `hooks` of a settings text, or in words why it must not be touched. */
function readHooks(text: string): Hooks | string {
  const errors: ParseError[] = [];
  const root = parseTree(withoutBom(text), errors, { allowTrailingComma: true, allowEmptyContent: false });
  if (root === undefined || errors.length > 0) return 'it is not JSON';
  if (root.type !== 'object') return 'it is not a JSON object';
  const hooks = (getNodeValue(root) as Record<string, unknown>)['hooks'];
  if (hooks === undefined) return {};
  if (hooks === null || typeof hooks !== 'object' || Array.isArray(hooks)) return '"hooks" in it is not an object';
  const odd = Object.entries(hooks).find(([, groups]) => !Array.isArray(groups));
  return odd === undefined ? (hooks as Hooks) : `"hooks.${odd[0]}" in it is not a list`;
}

const bom = '\ufeff';
const withoutBom = (text: string): string => (text.startsWith(bom) ? text.slice(1) : text);

function edit(text: string, path: (string | number)[], value: unknown, isInsertion = false): string {
  const body = withoutBom(text);
  const edits = modify(body, path, value, { formattingOptions: formatOf(body), isArrayInsertion: isInsertion });
  return `${text.length > body.length ? bom : ''}${applyEdits(body, edits)}`;
}

function append(text: string, event: string, group: HookGroup): string {
  const read = readHooks(text);
  const present = typeof read === 'string' ? undefined : read[event];
  return present === undefined
    ? edit(text, ['hooks', event], [group])
    : edit(text, ['hooks', event, present.length], group, true);
}

/** Removes our commands of one event, from the last to the first so that positions stay true. */
function dropOurs(
  text: string,
  event: string,
  isOurs: (command: string) => boolean,
  keep: (group: unknown) => boolean,
): string {
  const read = readHooks(text);
  if (typeof read === 'string') return text;
  let next = text;
  const groups = read[event] ?? [];
  for (let at = groups.length - 1; at >= 0; at -= 1) {
    const group = groups[at];
    if (!holdsOurs(group, isOurs) || keep(group)) continue;
    const commands = commandsOf(group);
    if (commands.every(isOurs)) {
      next = edit(next, ['hooks', event, at], undefined);
      continue;
    }
    for (let inner = commands.length - 1; inner >= 0; inner -= 1) {
      if (isOurs(commands[inner] ?? '')) next = edit(next, ['hooks', event, at, 'hooks', inner], undefined);
    }
  }
  const left = readHooks(next);
  if (typeof left === 'string') return next;
  if (left[event]?.length === 0) next = edit(next, ['hooks', event], undefined);
  const after = readHooks(next);
  return typeof after !== 'string' && Object.keys(after).length === 0 ? edit(next, ['hooks'], undefined) : next;
}

const holdsOurs = (group: unknown, isOurs: (command: string) => boolean): boolean => commandsOf(group).some(isOurs);

/** An entry without a command counts as one that is not ours. */
function commandsOf(group: unknown): string[] {
  const hooks = (group as { hooks?: unknown } | null)?.hooks;
  if (!Array.isArray(hooks)) return [];
  return hooks.map((hook) => {
    const command = (hook as { command?: unknown } | null)?.command;
    return typeof command === 'string' ? command : '';
  });
}

/** The runtime may have dropped or added nothing: equal in value, whatever the order of keys. */
const same = (a: unknown, b: unknown): boolean => ordered(a) === ordered(b);

const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
      : inner,
  );

/** The file's own indentation and line ends. */
function formatOf(text: string): FormattingOptions {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
