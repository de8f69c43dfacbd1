/** Tools of all runtimes by what they do, so that a handler names a kind of tool and not twelve names. */
import type { ToolCall } from '../event.ts';
import { asObject, textAt } from '../event.ts';
import { cleanLine } from '../text.ts';

export const toolKinds = ['Edit', 'Bash', 'Read', 'Agent', 'Web', 'Search', 'tool'] as const;
export type ToolKind = (typeof toolKinds)[number];

const names: Readonly<Record<Exclude<ToolKind, 'tool'>, readonly string[]>> = {
  Edit: [
    'Edit',
    'MultiEdit',
    'NotebookEdit',
    'Write',
    'apply_patch',
    'replace',
    'write_file',
    'edit',
    'multiedit',
    'write',
    'patch',
  ],
  Bash: ['Bash', 'run_shell_command', 'shell', 'bash', 'exec_command'],
  Read: ['Read', 'read_file', 'read_many_files', 'read', 'NotebookRead'],
  Agent: ['Agent', 'Task', 'task'],
  Web: ['WebFetch', 'WebSearch', 'web_fetch', 'google_web_search', 'webfetch', 'websearch'],
  Search: ['Grep', 'Glob', 'LS', 'grep', 'glob', 'list', 'search_file_content', 'grep_search', 'list_directory'],
};

const kindOfName: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(names).flatMap(([kind, all]) => all.map((name): [string, ToolKind] => [name, kind as ToolKind])),
);

export const toolKindOf = (name: string): ToolKind => kindOfName.get(name) ?? 'tool';

/** Absolute or relative paths of the files a tool reads or writes, as its input names them; of a patch, all of them. */
export function filesOf({ input }: Pick<ToolCall, 'input'>): string[] {
  const from = asObject(input) ?? {};
  for (const key of ['file_path', 'filePath', 'notebook_path', 'absolute_path', 'path']) {
    const file = textAt(from, key);
    if (file !== null) return [file];
  }
  const patch = textAt(from, 'patchText') ?? textAt(from, 'patch') ?? textAt(from, 'input') ?? textAt(from, 'command');
  if (patch === null || !patch.includes('*** Begin Patch')) return [];
  return [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map(([, file]) =>
    (file ?? '').trim(),
  );
}

/** The shell command of a call; null where it is none. */
export function commandOf({ name, input }: Pick<ToolCall, 'name' | 'input'>): string | null {
  if (toolKindOf(name) !== 'Bash') return null;
  const from = asObject(input) ?? {};
  return textAt(from, 'command') ?? textAt(from, 'cmd');
}

/** One line of what a call would do: its command, its file, its address. */
export function aboutCall(call: Pick<ToolCall, 'name' | 'input'>): string {
  const input = asObject(call.input) ?? {};
  const said =
    commandOf(call) ?? filesOf(call)[0] ?? textAt(input, 'url') ?? textAt(input, 'query') ?? JSON.stringify(call.input);
  return cleanLine(said ?? '');
}

/** What an editing call writes: the new text, and where it replaces something, the old one. */
export function writtenText({ input }: Pick<ToolCall, 'input'>): { before: string; after: string }[] {
  const from = asObject(input) ?? {};
  const edits = Array.isArray(from['edits']) ? from['edits'].map(asObject) : [from];
  return edits.flatMap((edit) => {
    if (edit === null) return [];
    const after =
      textAt(edit, 'new_string') ?? textAt(edit, 'newString') ?? textAt(edit, 'content') ?? patchPart(edit, '+');
    if (after === null) return [];
    return [{ after, before: textAt(edit, 'old_string') ?? textAt(edit, 'oldString') ?? patchPart(edit, '-') ?? '' }];
  });
}

function patchPart(edit: Readonly<Record<string, unknown>>, sign: '+' | '-'): string | null {
  const patch = textAt(edit, 'patchText') ?? textAt(edit, 'patch') ?? textAt(edit, 'input') ?? textAt(edit, 'command');
  if (patch === null || !patch.includes('*** Begin Patch')) return null;
  return patch
    .split('\n')
    .filter((line) => line.startsWith(sign))
    .map((line) => line.slice(1))
    .join('\n');
}

const failed =
  /^\s*(Error|error:|Failed|apply_patch verification failed|<tool_use_error>|\[?Tool execution (failed|error))/;

/** Why a finished call failed, as the runtime itself says; null when it did not, or where nothing tells (seed 004, #579). */
export function failureOf(
  eventName: string,
  { name, response }: Pick<ToolCall, 'name' | 'response'>,
  payload: Readonly<Record<string, unknown>>,
): string | null {
  if (eventName === 'PostToolUseFailure') return textAt(payload, 'error') ?? 'it failed';
  const from = asObject(response);
  const stated = from === null ? null : (textAt(from, 'error') ?? textAt(asObject(from['error']) ?? {}, 'message'));
  if (stated !== null) return stated;
  // A runtime that has no word for it: only a tool that edits, and only words at the very beginning.
  const text = typeof response === 'string' ? response : (textAt(payload, 'output') ?? '');
  return toolKindOf(name) === 'Edit' && failed.test(text) ? text : null;
}
