/** Files that a command line writes, as far as its words tell. A help against accidents, no wall: a shell has more ways. */
import { programWords, simpleCommands } from './handlers/commands.ts';

/** Paths as the command has them, relative ones to where it runs. Empty where nothing tells. */
export function filesWrittenBy(command: string): string[] {
  // A pipe to a file stands outside of quotes; `2>&1` and `/dev/null` write none.
  const commands = simpleCommands(spaceRedirections(withoutHereDocuments(command))) ?? [];
  const files = commands.flatMap((words) => [...redirected(words), ...byProgram(words)]).filter(isFile);
  return commands.some(goesElsewhere) ? files.filter((file) => file.startsWith('/')) : files;
}

const isFile = (path: string): boolean =>
  path !== '' && !/^[-~]/.test(path) && !path.startsWith('/dev/') && !/[$`*?]/.test(path);

/** Then nobody can tell what a relative path is relative to. */
const goesElsewhere = (words: readonly string[]): boolean => ['cd', 'pushd'].includes(programWords(words)[0] ?? '');

/** Their text is no command. */
const withoutHereDocuments = (line: string): string =>
  line.replace(/<<-?\s*(['"]?)(\w+)\1([^\n]*)\n(?:[\s\S]*?\n)??[\t ]*\2(?=\n|$)/g, '$3');

/** Stands for `>`, so that a quoted one is none. */
const into = '\u0001';

/** `>` and `>>` as words of their own, where they are not quoted. */
function spaceRedirections(line: string): string {
  let text = '';
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (quote !== '') {
      if (char === '\\' && quote === '"') {
        text += char + (line[at + 1] ?? '');
        at += 1;
        continue;
      }
      if (char === quote) quote = '';
      text += char;
      continue;
    }
    if (char === "'" || char === '"') quote = char;
    if (char !== '>') {
      text += char;
      continue;
    }
    if (line[at + 1] === '>' || line[at + 1] === '|') at += 1;
    text = text.replace(/(^|\s)[012&]$/, '$1');
    const [copy = ''] = /^&(\d+|-)/.exec(line.slice(at + 1)) ?? [];
    if (copy === '' && line[at + 1] === '&') at += 1;
    at += copy.length;
    text += copy === '' ? ` ${into} ` : ' ';
  }
  return text;
}

const redirected = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => (word === into ? [words[at + 1] ?? ''] : []));

const everyArgument: readonly string[] = ['tee', 'rm', 'rmdir', 'touch', 'truncate', 'mkdir', 'unlink'];

function byProgram(all: readonly string[]): string[] {
  const words = withoutRedirections(all);
  const [program = '', ...rest] = programWords(words);
  const plain = rest.filter((word) => !word.startsWith('-'));
  if (everyArgument.includes(program)) return plain;
  if (program === 'mv') return plain;
  if (program === 'cp' || program === 'ln' || program === 'install') return plain.slice(-1);
  // The first word of sed without -e is its script.
  if (program === 'sed' && rest.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word))) {
    const scripts = rest.filter((word, at) => isScriptFlag(rest[at - 1]) && !word.startsWith('-'));
    return scripts.length > 0 ? plain.filter((word) => !scripts.includes(word)) : plain.slice(1);
  }
  if (program === 'git' && (rest[0] === 'rm' || rest[0] === 'mv')) return plain.slice(1);
  return [];
}

const isScriptFlag = (word: string | undefined): boolean => /^-[a-zA-Z]*e$|^--expression$/.test(word ?? '');

const withoutRedirections = (words: readonly string[]): string[] =>
  words.filter((word, at) => word !== into && words[at - 1] !== into);
