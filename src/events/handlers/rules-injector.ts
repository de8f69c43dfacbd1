/** Rules that are meant for a file which was read or written: each once a session, within a budget, from the tree and nowhere above it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFor, parseRule } from '../../domain/handlers/rules.ts';
import { filesOf, toolKindOf } from '../../domain/handlers/tools.ts';
import { below } from '../../domain/handlers/write-policy.ts';
import { cutBytes } from '../../domain/quote.ts';
import { cleanText } from '../../domain/text.ts';
import { takeOnce } from '../../town/handlers/budget.ts';
import { realPathOf } from '../../town/handlers/real-path.ts';
import { type EventHandler, type HandlerContext, optionOf, treeOf } from '../handler.ts';

const name = 'rules-injector';
/** Of one rule, and of all that one event gives. */
const ruleBytes = 3_000;
const eventBytes = 6_000;

export const rulesInjectorHandler: EventHandler = {
  name,
  events: ['tool_end'],
  priority: 61,
  enabled: ({ event }) => event.tool !== null && ['Read', 'Edit'].includes(toolKindOf(event.tool.name)),
  handle: async (context) => {
    const { event, store } = context;
    const tree = realPathOf(treeOf(context), '/');
    const files = (event.tool === null ? [] : filesOf(event.tool)).flatMap(
      (file) => below(tree, realPathOf(file, event.cwd ?? tree)) ?? [],
    );
    if (files.length === 0) return null;
    let room = eventBytes;
    const offers = ruleFiles(context, tree).flatMap((path) => {
      const rule = parseRule(readOr(join(tree, path)));
      if (rule.body === '' || !files.some((file) => isFor(rule, file))) return [];
      const text = `[gastown] Rule of this repository, ${path}:\n${cutBytes(cleanText(rule.body), ruleBytes)}`;
      room -= text.length;
      return room < 0 ? [] : [{ key: `rule ${path}`, text }];
    });
    const of = {
      sessionId: event.session_id ?? '',
      handler: name,
      limitBytes: optionOf(context, name, 'bytes', 16_384),
    };
    const given = await takeOnce(store, of, offers);
    return given.length === 0 ? null : { context: given.join('\n\n') };
  },
};

/** Folders of rules, and what in them is one. Claude loads its own; everybody else does not. */
const sources: readonly (readonly [folder: string, pattern: RegExp, loadedBy: string | null])[] = [
  ['.github/instructions', /\.instructions\.md$/, null],
  ['.cursor/rules', /\.(mdc|md)$/, null],
  ['.claude/rules', /\.md$/, 'claude'],
  ['.chipset/rules', /\.md$/, null],
];

/** Paths below the tree. */
function ruleFiles(context: HandlerContext, tree: string): string[] {
  const { runtime } = context.agent;
  const known = sources
    .filter(([, , loadedBy]) => loadedBy !== runtime)
    .flatMap(([folder, pattern]) =>
      namesIn(join(tree, folder))
        .filter((file) => pattern.test(file))
        .map((file) => `${folder}/${file}`),
    );
  const own = optionOf<readonly string[]>(context, name, 'sources', []);
  return [...new Set([...known, '.github/copilot-instructions.md', ...own])];
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(0, 65_536);
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort().slice(0, 100);
  } catch {
    return [];
  }
}
