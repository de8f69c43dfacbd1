/** Comments in source text, by the kind of file: whole lines alone, so that a `//` within a string or an address is none. */

const slashes = ['//', '/*', '*'];
const hashes = ['#'];
const marks: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\.(c|cc|cpp|cs|dart|go|h|hpp|java|js|jsx|kt|m|mjs|cjs|php|proto|rs|scala|scss|swift|ts|tsx|mts|cts|zig)$/i,
    slashes,
  ],
  [/\.(bash|cmake|conf|ex|exs|jl|pl|ps1|py|r|rb|sh|tf|toml|ya?ml|zsh)$|(^|\/)(Dockerfile|Makefile)$/i, hashes],
  [/\.(lua|sql|hs|elm)$/i, ['--']],
  [/\.(html?|xml|vue|svelte)$/i, ['<!--']],
  [/\.(clj|cljs|el|lisp|scm)$/i, [';']],
];

/** Not written for a reader: directives, shebangs, licences, test words, and what waits to be done. */
const noComment =
  /^\W*(!|@ts-|eslint|biome-|prettier|noqa|type:|pylint|ruff:|pragma|nolint|go:|shellcheck|istanbul|c8 |v8 |region|endregion|spdx|copyright|license|given\b|when\b|then\b|todo\b|fixme\b|xxx\b)/i;

/** Lines of `after` that are comments and were not in `before`. */
export function addedComments(file: string, before: string, after: string): string[] {
  const found = marks.find(([pattern]) => pattern.test(file))?.[1];
  if (found === undefined) return [];
  const old = new Set(before.split('\n').map((line) => line.trim()));
  return after
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !old.has(line) && found.some((mark) => isComment(line, mark)));
}

function isComment(line: string, mark: string): boolean {
  // Within a block: `* text`, but not `*/` and no pointer or product.
  if (mark === '*' ? !/^\*\s+\S/.test(line) : !line.startsWith(mark)) return false;
  const said = line
    .slice(mark.length)
    .replace(/^[*!/#;-]+/, '')
    .trim();
  return /\p{L}/u.test(said) && !noComment.test(line.slice(mark.length)) && !line.startsWith('#!');
}
