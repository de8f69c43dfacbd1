/**
 * The handlers in force, worked out once (at `up`) from catalogue and configuration, in the form that an event reads: what
 * is on for a role, which events have to load handlers, and which tool events must leave the shell's fast path.
 */
import { type Role, roles } from '../role.ts';
import { type CatalogueEntry, catalogue } from './catalogue.ts';
import type { KnownRuntime, Look } from './entry.ts';
import type { HandlerName } from './names.ts';
import type { HandlersConfig } from './options.ts';
import { toolKinds } from './tools.ts';

/** A town's own handler, as the operator approved it (decision 18). */
export interface OwnHandler {
  name: string;
  /** File name below `.chipset/handlers`. */
  file: string;
  /** Of the bytes that were approved; anything else is not run. */
  sha256: string;
  looks: Look[];
  priority: number;
}

export interface InForce {
  roles: Record<Role, RoleInForce>;
  options: Partial<Record<HandlerName, Record<string, unknown>>>;
  own: OwnHandler[];
}

export interface RoleInForce {
  on: string[];
  /** Words of events with handlers: `prompt`, `tool_start:Edit`, `tool_failed`. */
  look: string[];
  /** By runtime, words of the event entry that start Node all the same: `PreToolUse:Edit`. */
  slow: Record<KnownRuntime, string[]>;
}

/** What of the repository decides whether a handler has anything to look at. */
export interface TreeFacts {
  /** Rule files that no runtime loads by itself. */
  hasRules: boolean;
}

export function inForceOf(config: HandlersConfig, tree: TreeFacts, own: readonly OwnHandler[]): InForce {
  const options = Object.fromEntries(
    catalogue.flatMap(({ name }) => {
      const given = optionsFrom(config, name);
      return Object.keys(given).length === 0 ? [] : [[name, given]];
    }),
  );
  return {
    roles: Object.fromEntries(roles.map((role) => [role, ofRole(role, config, tree, own)])) as InForce['roles'],
    options,
    own: [...own],
  };
}

function ofRole(role: Role, config: HandlersConfig, tree: TreeFacts, own: readonly OwnHandler[]): RoleInForce {
  const on = catalogue.filter((entry) => isOn(entry, config, role));
  const wanted = on.map((entry) => ({
    entry,
    looks: entry.looks.filter((look) => isWanted(entry, look, config, tree)),
  }));
  const looks = [...wanted.flatMap((one) => one.looks), ...own.flatMap((one) => one.looks)];
  const slowOn = (runtime: KnownRuntime): string[] =>
    unique([
      ...wanted.flatMap((one) => (asks(one.entry, config, runtime) ? one.looks.flatMap(wordsOn(runtime)) : [])),
      ...own.flatMap((one) => one.looks.flatMap(wordsOn(runtime))),
    ]);
  return {
    on: on.map(({ name }) => name),
    look: unique(looks.flatMap(lookWords)),
    slow: { claude: slowOn('claude'), codex: slowOn('codex'), gemini: slowOn('gemini'), opencode: slowOn('opencode') },
  };
}

/** As the configuration says; where it is silent, as the catalogue does. */
export function isOn(entry: CatalogueEntry, config: HandlersConfig, role: Role): boolean {
  const given = config[entry.name];
  if (typeof given === 'boolean') return given && entry.roles.includes(role);
  if (given === undefined) return entry.on && entry.roles.includes(role);
  return (given.enabled ?? true) && (given.roles ?? entry.roles).includes(role);
}

export function optionsFrom(config: HandlersConfig, name: HandlerName): Record<string, unknown> {
  const given = config[name];
  if (given === undefined || typeof given === 'boolean') return {};
  const { enabled: _enabled, roles: _roles, ...options } = given;
  return options;
}

/** A look at tools costs a start of Node for each, so it has to have something to look for. */
function isWanted({ name }: CatalogueEntry, look: Look, config: HandlersConfig, tree: TreeFacts): boolean {
  // Prompts that begin with a mode's name are looked at anyway; tools, for the agents that are in one (`readGuard`).
  if (name === 'ultrapilot') return false;
  const options = optionsFrom(config, name);
  if (name === 'non-interactive-env') return options['deny'] === true;
  if (name === 'rules-injector') return tree.hasRules || options['sources'] !== undefined;
  if (name === 'plugin-patterns') return options[look.kind === 'tool_start' ? 'commit' : 'format'] !== false;
  return true;
}

/**
 * Codex and Gemini sort no tools before they call: there a look at edits starts Node for every tool, so it has to be asked
 * for by name in `gastown.yaml`.
 */
const asks = ({ name }: CatalogueEntry, config: HandlersConfig, runtime: KnownRuntime): boolean =>
  runtime === 'claude' || runtime === 'opencode' || config[name] !== undefined;

const begins = { claude: 'PreToolUse', codex: 'PreToolUse', gemini: 'BeforeTool', opencode: 'tool.execute.before' };
const ends = { claude: 'PostToolUse', codex: 'PostToolUse', gemini: 'AfterTool', opencode: 'tool.execute.after' };

/** A failure starts Node by itself. */
const wordsOn =
  (runtime: KnownRuntime) =>
  ({ kind, tools = toolKinds, failed, runtimes }: Look): string[] => {
    if ((kind !== 'tool_start' && kind !== 'tool_end') || failed || runtimes?.includes(runtime) === false) return [];
    const name = (kind === 'tool_start' ? begins : ends)[runtime];
    if (runtime === 'codex' || runtime === 'gemini') return [name];
    // opencode's plugin adds no word for a tool it cannot sort.
    return tools.map((tool) => (runtime === 'opencode' && tool === 'tool' ? name : `${name}:${tool}`));
  };

/** For one agent alone: those words for its runtime. */
export const slowWords = (runtime: KnownRuntime, looks: readonly Look[]): string[] =>
  unique(looks.flatMap(wordsOn(runtime)));

function lookWords({ kind, tools, failed }: Look): string[] {
  if (failed) return ['tool_failed'];
  return tools === undefined ? [kind] : tools.map((tool) => `${kind}:${tool}`);
}

const unique = (words: readonly string[]): string[] => [...new Set(words)].sort();
