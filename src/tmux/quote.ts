/** Words to text that tmux reads back as the same words. The only quoting there is. */

/** One command as one line for control mode. Single quotes keep `$ # ~ ; { } \` literal; a line break would end it. */
export const commandLine = (command: readonly string[]): string => command.map(quoteWord).join(' ');

const quoteWord = (word: string): string =>
  /^[A-Za-z0-9_@%=:,./+-]+$/.test(word) && !word.startsWith('%')
    ? word
    : `'${word.replaceAll("'", `'\\''`).replaceAll('\n', `'"\\n"'`).replaceAll('\r', `'"\\r"'`)}'`;

/** One word for tmux's argv: there a final `;` would end the command. */
export const argvWord = (word: string): string => (word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word);
