/**
 * Identifiers that may become a path, a tmux target or a branch. Nothing that fails these patterns ever does
 * (DESIGN section 5).
 */
import { usage } from './errors.ts';

const patterns = {
  agent: /^[a-z][a-z0-9-]{0,30}$/,
  bead: /^[a-z][a-z0-9]*-[a-z0-9]{1,16}$/,
  session: /^[A-Za-z0-9][A-Za-z0-9_-]{0,254}$/,
} as const;

export type IdKind = keyof typeof patterns;

const hints: Record<IdKind, string> = {
  agent: 'a lower-case letter, then up to 30 of a-z, 0-9 and "-"',
  bead: 'a lower-case prefix, "-", then 1 to 16 of a-z and 0-9, like gt-abc12',
  session: 'up to 255 letters, digits, "_" and "-"',
};

export const isId = (kind: IdKind, text: unknown): text is string =>
  typeof text === 'string' && patterns[kind].test(text);

/** Answers `text` itself, or throws a usage error (exit 1) that names the rule. The text is quoted and cut. */
export function parseId(kind: IdKind, text: unknown): string {
  if (isId(kind, text)) return text;
  const shown = typeof text === 'string' ? JSON.stringify(text.slice(0, 60)) : `a ${typeof text}`;
  throw usage(`not a valid ${kind} name: ${shown}`, `use ${hints[kind]}`);
}

/** A new bead id from random bytes: `gt-` and five characters. The caller checks that it is free. */
export function newBeadId(random: Uint8Array): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return `gt-${Array.from(random.slice(0, 5), (byte) => alphabet[byte % alphabet.length]).join('')}`;
}
