/** The one place that turns a runtime's name into a runtime. The same answer for start, restart and resume. */
import { usage } from '../domain/errors.ts';
import { suggestion } from '../domain/nearest.ts';
import type { RuntimeDescriptor, Strategy } from '../domain/runtime.ts';
import { canonicalRuntime } from '../domain/strategy.ts';
import { claudeRuntime } from './claude/claude.ts';
import { claudeDescriptor } from './claude/descriptor.ts';
import { codexDescriptor, codexRuntime } from './codex/codex.ts';
import { geminiDescriptor, geminiRuntime } from './gemini/gemini.ts';
import { genericDescriptor, genericRuntime } from './generic/generic.ts';
import { opencodeDescriptor, opencodeRuntime } from './opencode/opencode.ts';
import { deepFreeze, type Runtime } from './runtime.ts';
import { simDescriptor, simRuntime } from './sim/sim.ts';

const builtIn: Readonly<Record<string, [RuntimeDescriptor, (descriptor: RuntimeDescriptor) => Runtime]>> = {
  claude: [claudeDescriptor, claudeRuntime],
  codex: [codexDescriptor, codexRuntime],
  gemini: [geminiDescriptor, geminiRuntime],
  opencode: [opencodeDescriptor, opencodeRuntime],
  sim: [simDescriptor, simRuntime],
};

/** Ids of the runtimes that need no configuration. */
export const runtimeIds: readonly string[] = Object.keys(builtIn);

/** The part of `gastown.yaml` that speaks of runtimes (`runtimes.<id>`). */
export type ConfiguredRuntimes = Readonly<
  Record<
    string,
    {
      command?: string | undefined;
      args?: readonly string[] | undefined;
      env?: Readonly<Record<string, string>> | undefined;
      strategy?: Strategy | undefined;
    }
  >
>;

/** What was made for one configuration: descriptors are frozen, and many ask for each of them again and again. */
const made = new WeakMap<ConfiguredRuntimes, Map<string, Runtime>>();
const builtInOnly: ConfiguredRuntimes = {};

/**
 * A runtime by its name or alias. An entry of `configured` is laid over the built-in of that name, field by field, or
 * makes a new one, which needs a command. An unknown name is a usage error (exit 1) that tells the nearest.
 */
export function runtimeOf(name: string, configured: ConfiguredRuntimes = builtInOnly): Runtime {
  const known = made.get(configured) ?? new Map<string, Runtime>();
  made.set(configured, known);
  const runtime = known.get(name) ?? makeRuntime(name, configured);
  known.set(name, runtime);
  return runtime;
}

function makeRuntime(name: string, configured: ConfiguredRuntimes): Runtime {
  const keys = Object.keys(configured);
  const canonical = canonicalRuntime(name);
  const key = keys.find((one) => one === name) ?? keys.find((one) => canonicalRuntime(one) === canonical);
  const id = key ?? canonical;
  const own = key === undefined ? undefined : configured[key];
  const known = Object.hasOwn(builtIn, canonical) ? builtIn[canonical] : undefined;
  if (known !== undefined) {
    const [descriptor, make] = known;
    return Object.freeze(make(own === undefined ? descriptor : laidOver(descriptor, own)));
  }
  if (own === undefined) {
    throw usage(
      `no runtime is called ${JSON.stringify(name.slice(0, 60))}`,
      suggestion(id, [...runtimeIds, ...Object.keys(configured)]),
    );
  }
  if (own.command === undefined)
    throw usage(`runtime "${id}" has no command`, `set runtimes.${id}.command in gastown.yaml`);
  const descriptor = genericDescriptor(id, own.command, own.strategy ?? 'polling');
  return Object.freeze(genericRuntime(laidOver(descriptor, own)));
}

/** Strategies are laid over only where the runtime can do them; `chooseStrategy` warns about the others. */
const laidOver = (descriptor: RuntimeDescriptor, own: ConfiguredRuntimes[string]): RuntimeDescriptor =>
  deepFreeze({
    ...descriptor,
    command: own.command ?? descriptor.command,
    args: [...descriptor.args, ...(own.args ?? [])],
    env: { ...descriptor.env, ...own.env },
    strategy: descriptor.feasible.find((strategy) => strategy === own.strategy) ?? descriptor.strategy,
  });
