/** What a folder says of itself: the first lines of its README or AGENTS.md, each folder once a session (off unless configured). */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOf, toolKindOf } from '../../domain/handlers/tools.ts';
import { below } from '../../domain/handlers/write-policy.ts';
import { cutBytes } from '../../domain/quote.ts';
import { cleanText } from '../../domain/text.ts';
import { type Offer, takeOnce } from '../../town/handlers/budget.ts';
import { realPathOf } from '../../town/handlers/real-path.ts';
import { type EventHandler, optionOf, treeOf } from '../handler.ts';

const name = 'directory-readme-injector';
const eachBytes = 1_200;
const names: readonly string[] = ['AGENTS.md', 'README.md'];

export const directoryReadmeInjectorHandler: EventHandler = {
  name,
  events: ['tool_end'],
  priority: 62,
  enabled: ({ event }) => event.tool !== null && ['Read', 'Edit'].includes(toolKindOf(event.tool.name)),
  handle: async (context) => {
    const { event, store } = context;
    const tree = realPathOf(treeOf(context), '/');
    const offers = (event.tool === null ? [] : filesOf(event.tool)).flatMap((file) => {
      const inside = below(tree, realPathOf(file, event.cwd ?? tree));
      return inside === null ? [] : offersFor(tree, inside);
    });
    const of = {
      sessionId: event.session_id ?? '',
      handler: name,
      limitBytes: optionOf(context, name, 'bytes', 16_384),
    };
    const given = await takeOnce(store, of, offers.slice(0, 5));
    return given.length === 0 ? null : { context: given.join('\n\n') };
  },
};

/** From the file's folder up to the tree; a file that was read itself is not repeated. */
function offersFor(tree: string, file: string): Offer[] {
  const offers: Offer[] = [];
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = names
      .map((one) => join(folder, one))
      .filter((path) => path !== file)
      .map((path) => ({ path, text: readOr(join(tree, path)) }))
      .find(({ text }) => text !== '');
    if (found !== undefined) {
      const text = `[gastown] About ${folder === '.' ? 'this repository' : folder}, from ${found.path}:\n${cutBytes(found.text, eachBytes)}`;
      offers.push({ key: `readme ${folder}`, text });
    }
    if (folder === '.') return offers;
  }
}

function readOr(path: string): string {
  try {
    return cleanText(readFileSync(path, 'utf8').slice(0, 16_384)).trim();
  } catch {
    return '';
  }
}
