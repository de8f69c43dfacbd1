/** Shell commands as words, for policies: what a command line runs, never what it means. */

/** The simple commands of a line, each as its words; quotes are taken off. Null where it cannot be told (unfinished quotes). */
export function simpleCommands(line: string): string[][] | null {
  const commands: string[][] = [[]];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  const endWord = (): void => {
    if (word !== null) commands.at(-1)?.push(word);
    word = null;
  };
  const endCommand = (): void => {
    endWord();
    if (commands.at(-1)?.length !== 0) commands.push([]);
  };
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] ?? '';
    if (quote === "'") {
      if (char === quote) quote = null;
      else word += char;
    } else if (char === '\\') {
      at += 1;
      word = (word ?? '') + (line[at] ?? '');
    } else if (quote === '"') {
      if (char === quote) quote = null;
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/[;&|\n()]/.test(char)) endCommand();
    else if (/\s/.test(char)) endWord();
    else word = (word ?? '') + char;
  }
  if (quote !== null) return null;
  endWord();
  return commands.filter((words) => words.length > 0);
}

const before = new Set(['sudo', 'env', 'command', 'exec', 'time', 'nohup', 'builtin', '{', '!', 'then', 'do', 'else']);

/** The words from the program on: assignments and words like `sudo` before it are left out; its name is without its folder. */
export function programWords(words: readonly string[]): string[] {
  const rest = [...words];
  while (rest.length > 0 && (/^[A-Za-z_]\w*=/.test(rest[0] ?? '') || before.has(rest[0] ?? ''))) rest.shift();
  const [program, ...others] = rest;
  return program === undefined ? [] : [program.split('/').at(-1) ?? program, ...others];
}

/** Anything by which a command line could do more than its first words say. */
const unsafe = /[;&|`$()<>\\{}\n\r\0*?[\]~!#=]/;

/** Whether the whole line is one plain command that begins with the words of `rule`. */
export function isAllowedBy(rule: string, line: string): boolean {
  if (unsafe.test(line)) return false;
  const words = simpleCommands(line)?.[0] ?? [];
  const wanted = rule.trim().split(/\s+/);
  return wanted.every((word, at) => words[at] === word);
}

/** Whether any command of the line begins with the words of `rule`. What cannot be read counts as it stands. */
export function isDeniedBy(rule: string, line: string): boolean {
  const wanted = rule.trim().split(/\s+/);
  const commands = simpleCommands(line);
  if (commands === null) return line.includes(rule.trim());
  return commands.some((words) => {
    const from = programWords(words);
    return wanted.every((word, at) => from[at] === word);
  });
}

const interactive = new Set([
  ...[
    'vi',
    'vim',
    'nvim',
    'nano',
    'pico',
    'emacs',
    'joe',
    'micro',
    'helix',
    'hx',
    'less',
    'more',
    'most',
    'man',
    'info',
  ],
  ...['top', 'htop', 'btop', 'watch', 'ftp', 'telnet', 'tmux', 'screen', 'lazygit', 'tig', 'fzf'],
]);

/** Why a command line would wait for a human at a terminal, in words; null where it would not. */
export function waitsForHuman(line: string): string | null {
  for (const words of simpleCommands(line) ?? []) {
    const [program = '', first = '', ...rest] = programWords(words);
    if (interactive.has(program)) return `${program} waits for keys`;
    const flags = [first, ...rest];
    if (program === 'git' && first === 'rebase' && flags.some((word) => word === '-i' || word === '--interactive')) {
      return 'git rebase -i opens an editor';
    }
    if (program === 'git' && first === 'add' && flags.some((word) => /^(-p|-i|--patch|--interactive)$/.test(word))) {
      return 'git add -p asks about each part';
    }
  }
  return null;
}

/** The message of a `git commit` in the line, as far as its words tell: the first `-m`. Null where there is none. */
export function commitMessage(line: string): string | null {
  for (const words of simpleCommands(line) ?? []) {
    const [program, ...rest] = programWords(words);
    if (program !== 'git' || !rest.includes('commit')) continue;
    for (const [at, word] of rest.entries()) {
      if (/^-[a-zA-Z]*m$/.test(word) || word === '--message') return rest[at + 1] ?? null;
      if (word.startsWith('--message=')) return word.slice('--message='.length);
    }
  }
  return null;
}

const conventional = /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([^()\n]+\))?!?: \S/;

/** Merges and reverts have the words that git gives them; what a shell puts in is not known here. */
export const isConventional = (message: string): boolean =>
  conventional.test(message) || /^(Merge|Revert|fixup!|squash!) /.test(message) || message.startsWith('$(');
