/**
 * The cycle gate's grammar (seed 002): what a caller may say, what a handoff's first line declares, and when the two
 * agree. Numbers are compared as strings; nothing here evaluates a text, so `30+4` and `0x22` are never 34.
 */

export const hookFile = 'HOOK_NEXT_CYCLE.md';
export const archiveFolder = 'cycles';
/** A handoff larger than this is never read whole: 1 MiB. */
export const handoffLimitBytes = 1_048_576;

/** A value that only the file gives away: its cycle number, or a prefix of the SHA-256 of its bytes. */
export type ReadProof = { kind: 'cycle'; digits: string } | { kind: 'digest'; hex: string };

export type DissolveWords =
  | { kind: 'run'; proof: ReadProof; json: boolean; debug: boolean }
  | { kind: 'help' }
  | { kind: 'wrong'; json: boolean };

/**
 * Exactly one of `--cycle N` and `--digest HEX`, once, as two words or joined by `=`; `--json` and `--debug` at most
 * once; `--help` alone. There is no word that forces, confirms or defaults anything.
 */
export function parseDissolveWords(argv: readonly string[]): DissolveWords {
  const json = argv.includes('--json');
  const wrong: DissolveWords = { kind: 'wrong', json };
  if (argv.length === 1 && (argv[0] === '--help' || argv[0] === '-h')) return { kind: 'help' };

  let proof: ReadProof | null = null;
  const switches = new Set<string>();
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--' && index === argv.length - 1) break;
    if (word === '--json' || word === '--debug') {
      if (switches.has(word)) return wrong;
      switches.add(word);
      continue;
    }
    const [flag, joined] = splitFlag(word);
    if ((flag !== '--cycle' && flag !== '--digest') || proof !== null) return wrong;
    const value = joined ?? argv[index + 1] ?? '';
    if (joined === null) index += 1;
    proof = flag === '--cycle' ? parseCycle(value) : parseDigest(value);
    if (proof === null) return wrong;
  }
  return proof === null ? wrong : { kind: 'run', proof, json, debug: switches.has('--debug') };
}

function splitFlag(word: string): [flag: string, joined: string | null] {
  const at = word.indexOf('=');
  return at < 0 ? [word, null] : [word.slice(0, at), word.slice(at + 1)];
}

/** One to nine ASCII digits and nothing else: no sign, space, base, exponent or digit of another script. */
export const parseCycle = (text: string): ReadProof | null =>
  /^[0-9]{1,9}$/.test(text) ? { kind: 'cycle', digits: text } : null;

/** 12 to 64 hex digits; fewer would let a caller probe. Upper case is folded. */
export const parseDigest = (text: string): ReadProof | null =>
  /^[0-9a-fA-F]{12,64}$/.test(text) ? { kind: 'digest', hex: text.toLowerCase() } : null;

/** What a person types into the control pane's one empty field: a cycle if it reads as one, else a digest. */
export const parseTypedProof = (text: string): ReadProof | null => parseCycle(text) ?? parseDigest(text);

const firstLineLimitBytes = 512;

/**
 * The digits that the first line declares, as written: `# Cycle 034 handoff`, then nothing or a space and free text.
 * Null for every other first line. `text` is the file decoded as strict UTF-8, `firstLineBytes` the length of its
 * first line in bytes.
 */
export function declaredCycle(text: string): string | null {
  const newline = text.indexOf('\n');
  const line = newline < 0 ? text : text.slice(0, newline);
  if (utf8Length(line) > firstLineLimitBytes) return null;
  const match = /^# Cycle ([0-9]{1,9}) handoff(?: |$)/.exec(line.endsWith('\r') ? line.slice(0, -1) : line);
  return match?.[1] ?? null;
}

function utf8Length(text: string): number {
  // Anything this long in UTF-16 units is too long in bytes as well; short lines are measured exactly.
  return text.length > firstLineLimitBytes ? text.length : new TextEncoder().encode(text).length;
}

/** `034`, `34` and `0034` are one cycle. */
const sameCycle = (a: string, b: string): boolean => stripZeros(a) === stripZeros(b);

const stripZeros = (digits: string): string => digits.replace(/^0+(?=[0-9])/, '');

/** Orders cycles without arithmetic: fewer digits first, then by the digits. */
export function compareCycles(a: string, b: string): number {
  const [left, right] = [stripZeros(a), stripZeros(b)];
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** `declared` is null where the first line declares nothing; a digest does not need it. */
export function proofMatches(proof: ReadProof, declared: string | null, sha256: string): boolean {
  if (proof.kind === 'digest') return sha256.startsWith(proof.hex);
  return declared !== null && sameCycle(proof.digits, declared);
}

/**
 * `cycle-034_20260301T101500Z_1a2b3c4d.md`; `copy` 2 and up adds `-2`. UTC and fixed width, so that names sort. Only
 * eight digits of the hash: twelve would be a passing value, should the same bytes be armed again.
 */
export function archiveName(declared: string | null, now: number, sha256: string, copy: number): string {
  const stamp = new Date(now)
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d+Z$/, 'Z');
  return `cycle-${declared ?? 'unknown'}_${stamp}_${sha256.slice(0, 8)}${copy > 1 ? `-${copy}` : ''}.md`;
}

export const archiveCopies = 99;

/** The digits in an archive's name; null for `unknown` and for files that are not archives. */
export const archivedCycle = (name: string): string | null =>
  /^cycle-([0-9]{1,9})_\d{8}T\d{6}Z_[0-9a-f]{8}(?:-\d{1,2})?\.md$/.exec(name)?.[1] ?? null;
