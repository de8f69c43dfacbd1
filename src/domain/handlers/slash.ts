/** `/name words`: which command a prompt calls, and its text with the words put in. */

/** Null for anything else: a path, a comment, a word within the prompt. Names may have folders: `git:sync` is `git/sync`. */
export function slashCommand(prompt: string): { name: string; words: string } | null {
  const match = /^\s*\/([a-z][a-z0-9-]{0,40}(?::[a-z][a-z0-9-]{0,40})?)(?:\s+([\s\S]*))?$/i.exec(prompt);
  const name = match?.[1]?.replace(':', '/');
  return name === undefined ? null : { name, words: (match?.[2] ?? '').trim() };
}

/** `$ARGUMENTS` is all of them, `$1` … `$9` each; without a place for them they follow the text. The head of the file is left out. */
export function expandCommand(text: string, words: string): string {
  const body = text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n?/, '').trim();
  const each = words === '' ? [] : words.split(/\s+/);
  let hasPlace = false;
  const expanded = body.replace(/\$(ARGUMENTS|[1-9])/g, (_, which: string) => {
    hasPlace = true;
    return which === 'ARGUMENTS' ? words : (each[Number(which) - 1] ?? '');
  });
  return hasPlace || words === '' ? expanded : `${expanded}\n\n${words}`;
}
