/** `/name words` for runtimes that know no commands of the repository: the text of its file, with the words in their places. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expandCommand, slashCommand } from '../../domain/handlers/slash.ts';
import { cutBytes } from '../../domain/quote.ts';
import { cleanText } from '../../domain/text.ts';
import { type EventHandler, type HandlerContext, treeOf } from '../handler.ts';

const folders: readonly string[] = ['.chipset/commands', '.claude/commands'];
const limitBytes = 8_000;

export const autoSlashCommandHandler: EventHandler = {
  name: 'auto-slash-command',
  events: ['prompt'],
  priority: 68,
  // Claude expands its own commands before it sends a prompt.
  enabled: ({ event, agent }) =>
    event.subagent === null && agent.runtime !== 'claude' && slashCommand(event.prompt ?? '') !== null,
  handle: (context) => {
    const command = slashCommand(context.event.prompt ?? '');
    const found = command === null ? null : fileOf(context, command.name);
    if (command === null || found === null) return null;
    const text = cutBytes(cleanText(expandCommand(found.text, command.words)), limitBytes);
    return { context: `[gastown] /${command.name} stands for this, from ${found.path}:\n${text}` };
  },
};

/** A plain file of the repository or the town; a link could lead anywhere. */
function fileOf(context: HandlerContext, name: string): { path: string; text: string } | null {
  const { stateDir } = context;
  const root = join(stateDir, '..', '..');
  for (const [base, folder] of folders.flatMap((one) => [[treeOf(context), one] as const, [root, one] as const])) {
    const path = join(folder, `${name}.md`);
    try {
      if (lstatSync(join(base, path)).isFile())
        return { path, text: readFileSync(join(base, path), 'utf8').slice(0, 65_536) };
    } catch {
      // Not there.
    }
  }
  return null;
}
