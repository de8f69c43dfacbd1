/** A table of commands → the parser. Every mistake in the words is one line with the nearest right word (exit 1). */
import { CommanderError, Command as Parser } from 'commander';
import { usage } from '../domain/errors.ts';
import { nearest, suggestion } from '../domain/nearest.ts';
import { callOf } from './call.ts';
import type { Call, Command } from './command.ts';
import type { Io } from './io.ts';

export interface Face {
  /** `gastown` or `gt`. */
  program: string;
  does: string;
  version: string;
  commands: readonly Command[];
  /** What runs when no command is named; null prints the help. */
  bare: string | null;
}

/** Runs the command that `argv` names and answers its exit code. */
export async function runCommand(face: Face, argv: readonly string[], io: Io): Promise<number> {
  const words = argv.length === 0 ? [face.bare ?? '--help'] : [...argv];
  const raw = face.commands.find((command) => command.raw && command.name === words[0]);
  if (raw) return (await raw.run(callOf(io, [], words.slice(1), {}))) ?? 0;

  let exitCode: number | undefined;
  // The whole table is only built for help and for words that name no command: `status` has a bar to keep.
  const named = namedExactly(face, words);
  const parser = parserOf(named ? { ...face, commands: [named] } : face, io, async (command, call) => {
    exitCode = await command.run(call);
  });
  try {
    await parser.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    throw inOneLine(error, face, words);
  }
  return exitCode ?? 0;
}

function namedExactly(face: Face, [first = '', second = '']: readonly string[]): Command | undefined {
  const named = (name: string) => face.commands.find((command) => command.name === name);
  return named(`${first} ${second}`) ?? named(first);
}

function parserOf(face: Face, io: Io, onRun: (command: Command, call: Call) => Promise<void>): Parser {
  const root = configured(new Parser(face.program), io).description(face.does).version(face.version);
  root.helpCommand('help [command]', 'what a command does');
  const groups = new Map<string, Parser>();
  for (const command of face.commands) {
    const [group, verb] = command.name.split(' ');
    const parent = verb === undefined ? root : groupOf(root, groups, group ?? '', io);
    const parser = configured(new Parser(verb ?? group), io).description(command.does);
    for (const argument of command.args?.split(' ') ?? []) parser.argument(argument);
    for (const [flags, does] of command.options ?? []) parser.option(flags, does);
    parser.option('--debug', 'on a failure, print the stack as well');
    parser.action(async (...given: unknown[]) => {
      const values = given.slice(0, -2);
      const rest = values.find(Array.isArray) ?? [];
      const args = values.filter((value) => !Array.isArray(value)) as (string | undefined)[];
      await onRun(command, callOf(io, args, rest, parser.opts()));
    });
    parent.addCommand(parser, { hidden: command.hidden === true });
  }
  for (const group of groups.values()) group.description(group.commands.map((verb) => verb.name()).join(', '));
  return root;
}

/** `bead`, for `bead add`: alone, it tells its verbs. */
function groupOf(root: Parser, groups: Map<string, Parser>, name: string, io: Io): Parser {
  const known = groups.get(name) ?? root.commands.find((command) => command.name() === name);
  if (known) return known;
  const group = configured(new Parser(name), io);
  groups.set(name, group);
  root.addCommand(group);
  group.action(() => {
    const verbs = group.commands.map((command) => command.name());
    throw usage(`${name} needs a verb`, `use one of ${verbs.join(', ')}`);
  });
  return group;
}

function configured(parser: Parser, io: Io): Parser {
  return parser
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut: io.out, writeErr: () => {}, outputError: () => {} })
    .configureHelp({ helpWidth: io.columns ?? 100 });
}

/** Commander's own words, shortened, with our nearest word. */
function inOneLine(error: CommanderError, face: Face, words: readonly string[]) {
  const message = error.message.replace(/^error: /, '').split('\n')[0] ?? '';
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? '';
  const command = commandOf(face, words);
  const isBareWithVerbs = command?.args === undefined && hasVerbs(face, command?.name ?? '');
  if (!command || (error.code === 'commander.excessArguments' && isBareWithVerbs)) return unknownCommand(face, words);
  if (error.code === 'commander.unknownOption') {
    const flags = (command.options ?? []).flatMap(([names]) => names.match(/--?[a-z-]+/g) ?? []);
    const next = suggestion(quoted, [...flags, '--help', '--debug']);
    return usage(`unknown option ${quote(quoted)}`, next);
  }
  return usage(message.replace(/\.$/, ''), `usage: ${face.program} ${command.name} ${command.args ?? ''}`.trim());
}

const hasVerbs = (face: Face, group: string): boolean => face.commands.some(({ name }) => name.startsWith(`${group} `));

/** Options are looked at before the command: `--jsn` alone is an unknown option of nothing. */
function unknownCommand(face: Face, words: readonly string[]) {
  const [first = '', second = ''] = words.filter(
    (word, index) => !word.startsWith('-') && !(index === 0 && word === 'help'),
  );
  const verbs = face.commands.flatMap(({ name }) =>
    name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : [],
  );
  if (verbs.length > 0) return usage(`unknown command ${quote(`${first} ${second}`)}`, suggestion(second, verbs));
  if (first === '') return usage(`unknown option ${quote(words[0] ?? '')}`, `see ${face.program} --help`);
  const names = face.commands.map(({ name }) => name.split(' ')[0] ?? '');
  const near = nearest(first, names);
  return usage(`unknown command ${quote(first)}`, near ? `did you mean "${near}"?` : `see ${face.program} --help`);
}

const quote = (word: string): string => JSON.stringify(word.slice(0, 60));

function commandOf(face: Face, words: readonly string[]): Command | undefined {
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'));
  return (
    face.commands.find(({ name }) => name === `${first} ${second}`) ?? face.commands.find(({ name }) => name === first)
  );
}
