/** Rule files of several tools: for which files a rule is meant, and what it says. */
import { globPattern } from './write-policy.ts';

export interface Rule {
  /** Globs below the tree; empty: for every file where `always`, else for none. */
  globs: string[];
  always: boolean;
  body: string;
}

/** `globs`, `paths` or `applyTo` in the head of the file say for which files; `alwaysApply` says for all. */
export function parseRule(text: string): Rule {
  const head = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text);
  const body = (head === null ? text : text.slice(head[0].length)).trim();
  if (head === null) return { globs: [], always: true, body };
  const lines = (head[1] ?? '').split(/\r?\n/);
  const globs = ['globs', 'paths', 'applyTo'].flatMap((key) => valuesOf(lines, key));
  const always = valuesOf(lines, 'alwaysApply')[0] === 'true';
  return { globs, always, body };
}

/** `key: a, b`, `key: ["a", "b"]`, or a list of lines below it. */
function valuesOf(lines: readonly string[], key: string): string[] {
  const at = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (at === -1) return [];
  const here = (lines[at] ?? '').slice(key.length + 1).trim();
  if (here !== '')
    return splitOutsideBraces(here.replace(/^\[|\]$/g, ''))
      .map(unquoted)
      .filter(Boolean);
  const list: string[] = [];
  for (const line of lines.slice(at + 1)) {
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    if (item === undefined) break;
    list.push(unquoted(item));
  }
  return list;
}

/** `**‌/*.{ts,tsx}` is one glob. */
function splitOutsideBraces(text: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

const unquoted = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, '$2');

/** `file` below the tree. */
export const isFor = ({ globs, always }: Rule, file: string): boolean =>
  globs.length === 0 ? always : always || globs.some((glob) => globPattern(glob).test(file));
