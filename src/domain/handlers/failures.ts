/** Failures of tools by what they are about. */
import { toolKindOf } from './tools.ts';

const edits: readonly (readonly [RegExp, string])[] = [
  [
    /(string to replace|old_?string|search (string|block)|expected lines?|context).{0,40}(not found|could not|couldn.t|cannot|failed)|(not find|failed to find|0 occurrences)/is,
    'The text to replace is not in the file as you wrote it. Read the file again, copy the lines exactly with their white space, and edit once more.',
  ],
  [
    /(found \d+ (matches|occurrences)|multiple (times|matches|occurrences)|more than one|expected 1 occurrence)/i,
    'The text to replace is in the file more than once. Take more lines around it so that it is unique, or replace all of them on purpose.',
  ],
  [
    /(are the same|exactly the same|identical|no changes? to (make|apply))/i,
    'Old and new text are the same: nothing would change. Look whether the edit is done already.',
  ],
  [
    /(not been read yet|must read|read (it|the file) first|modified since|changed (on disk|since))/i,
    'The file is not as you last saw it. Read it again before you edit it.',
  ],
];

/** One line of advice, or null where none is known. */
export function adviceFor(tool: string, error: string): string | null {
  if (toolKindOf(tool) !== 'Edit') return null;
  return edits.find(([pattern]) => pattern.test(error.slice(0, 2_000)))?.[1] ?? null;
}

/** The same for the same failure: numbers, paths and quotations are left out. */
export function failureMark(tool: string, error: string): string {
  const said = error
    .slice(0, 2_000)
    .replace(/(["'`]).*?\1/gs, '…')
    .replace(/[\w.~-]*\/[\w./~-]+/g, '…')
    .replace(/\d+/g, '0')
    .replace(/\s+/g, ' ');
  return `${tool}: ${said.slice(0, 160)}`;
}

/** A turn that failed because the kept messages no longer fit together: thinking without its signature, a call without result. */
export const isBrokenConversation = (error: string): boolean =>
  /thinking.{0,60}(block|signature|preced|must|cannot be modified)|signature.{0,40}thinking|redacted_thinking|tool_use.{0,80}without.{0,20}tool_result|unexpected.{0,20}tool_use_id/is.test(
    error,
  );
