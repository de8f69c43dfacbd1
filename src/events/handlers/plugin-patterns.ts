/** The repository's habits: conventional commits before they are made, the formatter of a file after it was edited (off unless configured). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventAnswer } from '../../domain/event.ts';
import { commitMessage, isConventional } from '../../domain/handlers/commands.ts';
import { commandOf, filesOf, toolKindOf } from '../../domain/handlers/tools.ts';
import { quoteLine } from '../../domain/quote.ts';
import { takeOnce } from '../../town/handlers/budget.ts';
import { type EventHandler, type HandlerContext, optionOf, treeOf } from '../handler.ts';

const name = 'plugin-patterns';

export const pluginPatternsHandler: EventHandler = {
  name,
  events: ['tool_start', 'tool_end'],
  priority: 63,
  enabled: ({ event }) => event.tool !== null,
  handle: (context) => (context.event.kind === 'tool_start' ? checkCommit(context) : nameFormatter(context)),
};

function checkCommit(context: HandlerContext): EventAnswer | null {
  const { tool } = context.event;
  const command = tool === null ? null : commandOf(tool);
  const message = command === null ? null : commitMessage(command);
  if (message === null || isConventional(message) || !optionOf(context, name, 'commit', true)) return null;
  return {
    block: `[gastown] Commit messages here are conventional, and ${quoteLine(message, 80)} is not. Write "type(scope): what changes", with type one of feat, fix, docs, refactor, test, perf, build, ci, style, chore.`,
  };
}

async function nameFormatter(context: HandlerContext): Promise<EventAnswer | null> {
  const { event, store } = context;
  if (event.tool === null || toolKindOf(event.tool.name) !== 'Edit' || !optionOf(context, name, 'format', true))
    return null;
  const tree = treeOf(context);
  const command = filesOf(event.tool).flatMap((file) => formatterOf(tree, file) ?? [])[0];
  if (command === undefined) return null;
  const text = `[gastown] This repository formats such files with: ${command}`;
  const offer = { key: `format ${command}`, text };
  const of = { sessionId: event.session_id ?? '', handler: name, limitBytes: 4_000 };
  return { context: (await takeOnce(store, of, [offer]))[0] ?? null };
}

const formatters: readonly (readonly [kind: RegExp, configs: readonly string[], command: string])[] = [
  [/\.([cm]?[jt]sx?|jsonc?|css)$/, ['biome.json', 'biome.jsonc'], 'npx biome check --write <file>'],
  [
    /\.([cm]?[jt]sx?|jsonc?|css|scss|md|ya?ml|html)$/,
    ['.prettierrc', '.prettierrc.json', 'prettier.config.js', 'prettier.config.mjs'],
    'npx prettier --write <file>',
  ],
  [/\.py$/, ['ruff.toml', '.ruff.toml'], 'ruff format <file>'],
  [/\.go$/, ['go.mod'], 'gofmt -w <file>'],
  [/\.rs$/, ['Cargo.toml'], 'rustfmt <file>'],
  [/\.(c|cc|cpp|h|hpp)$/, ['.clang-format'], 'clang-format -i <file>'],
];

function formatterOf(tree: string, file: string): string | null {
  for (const [kind, configs, command] of formatters) {
    if (kind.test(file) && configs.some((config) => existsSync(join(tree, config)))) return command;
  }
  return file.endsWith('.py') && mentions(join(tree, 'pyproject.toml'), '[tool.ruff') ? 'ruff format <file>' : null;
}

function mentions(path: string, words: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(words);
  } catch {
    return false;
  }
}
