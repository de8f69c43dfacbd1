/** After an edit: how many comments it added, and the first lines of them. Advice, never a block (off unless configured). */
import { addedComments } from '../../domain/handlers/comments.ts';
import { filesOf, toolKindOf, writtenText } from '../../domain/handlers/tools.ts';
import { quoteLine } from '../../domain/quote.ts';
import type { EventHandler } from '../handler.ts';

const shown = 3;

export const commentCheckerHandler: EventHandler = {
  name: 'comment-checker',
  events: ['tool_end'],
  priority: 60,
  enabled: ({ event }) => event.tool !== null && toolKindOf(event.tool.name) === 'Edit',
  handle: ({ event }) => {
    if (event.tool === null) return null;
    const [file = ''] = filesOf(event.tool);
    const added = writtenText(event.tool).flatMap(({ before, after }) => addedComments(file, before, after));
    if (added.length === 0) return null;
    const lines = added.slice(0, shown).map((line) => `- ${quoteLine(line, 120)}`);
    const more = added.length > shown ? [`- and ${added.length - shown} more`] : [];
    return {
      context: [
        `[gastown] This edit added ${added.length} comment${added.length === 1 ? '' : 's'}. Keep what says why; drop what repeats the code:`,
        ...lines,
        ...more,
      ].join('\n'),
    };
  },
};
