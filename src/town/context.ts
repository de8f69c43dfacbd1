/** One town, opened: its folder, its state, the configuration in force, and the way to its tmux server. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentConfig, Config } from '../domain/config.ts';
import { expandAgents } from '../domain/config-names.ts';
import { usage } from '../domain/errors.ts';
import type { TownRecord } from '../domain/records.ts';
import { readPlainText } from '../store/plain-file.ts';
import { resolveRoot } from '../store/resolve-root.ts';
import { openStore, type Store } from '../store/store.ts';
import type { Tmux } from '../tmux/driver.ts';
import { townSocket } from '../tmux/socket.ts';
import { spawnTmux } from '../tmux/spawn-client.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Town {
  /** Real path of the town's folder. */
  readonly root: string;
  readonly name: string;
  readonly stateDir: string;
  readonly binDir: string;
  /** Where the built programs lie, and the Node that runs them. */
  readonly distDir: string;
  readonly node: string;
  readonly env: Env;
  readonly store: Store;
  readonly tmux: Tmux;
  /** The configuration in force: the recorded one while the town runs, else `gastown.yaml`. */
  readonly config: Config;
  readonly agents: readonly AgentConfig[];
  /** False where there is neither a running town nor a `gastown.yaml`. */
  readonly configured: boolean;
  /** `town.json` as it was at opening; null when absent or corrupt. */
  readonly recorded: TownRecord | null;
  readonly warnings: readonly string[];
  /** Milliseconds; the one clock of the services. */
  clock(): number;
  /** Factor for every duration: 1, or what the tests set. */
  readonly scale: number;
}

export interface Opening {
  cwd: string;
  env: Env;
  clock?: () => number;
  /** A connection of the caller's own; without it each call spawns `tmux`. */
  tmux?: Tmux;
  /** The caller does nothing else while tmux answers. */
  blocking?: boolean;
}

/**
 * Opens the town of `cwd`. Nothing is created. Throws a usage error (exit 1) for a configuration that is wrong; a town
 * without one opens with no agents.
 */
export async function openTown({ cwd, env, clock = Date.now, tmux, blocking = false }: Opening): Promise<Town> {
  const { root, stateDir } = resolveRoot({ cwd, env });
  const store = openStore(stateDir);
  const read = store.town.read();
  const recorded = read.kind === 'ok' ? read.value : null;
  const { config, agents, configured, warnings } =
    recorded?.running === true ? inForce(recorded) : await fromFile(root);
  let client = tmux;
  return {
    root,
    name: basename(root),
    stateDir,
    binDir: store.paths.binDir,
    distDir: join(packageRoot(), 'dist'),
    node: process.execPath,
    env,
    store,
    // Only who needs tmux needs a folder for its socket.
    get tmux() {
      client ??= spawnTmux(recorded?.running === true ? recorded.socket : socketOf(root, env, config), { blocking });
      return client;
    },
    config,
    agents,
    configured,
    recorded,
    warnings,
    clock,
    scale: timeScale(env),
  };
}

/** The same town with another configuration: `up --demo` and `up --agents`. */
export const withConfig = (town: Town, config: Config): Town => ({
  ...town,
  tmux: town.tmux,
  config,
  agents: expandAgents(config.agents, Object.keys(config.runtimes ?? {})),
  configured: true,
});

/** The agent's configuration; a name that is not of this town is a usage error (exit 1) with the nearest. */
export function agentOf(town: Town, agentId: string): AgentConfig {
  const agent = town.agents.find((one) => one.agent_id === agentId);
  if (agent) return agent;
  const names = town.agents.map((one) => one.agent_id).join(', ');
  throw usage(
    `no agent is called ${JSON.stringify(agentId.slice(0, 60))} here`,
    names === '' ? 'gastown init writes a configuration' : `agents: ${names}`,
  );
}

/** Milliseconds of `seconds` on this town's clock. */
export const scaled = (town: Pick<Town, 'scale'>, seconds: number): number => seconds * 1000 * town.scale;

function socketOf(root: string, env: Env, config: Config): string {
  if (config.tmux?.socket !== 'default') return townSocket(root, env);
  return join(env['TMUX_TMPDIR'] || '/tmp', `tmux-${process.getuid?.() ?? 0}`, 'default');
}

interface Configured {
  config: Config;
  agents: readonly AgentConfig[];
  configured: boolean;
  warnings: readonly string[];
}

/** Checked before it was recorded; checking it again would take `status` longer than anything else it does. */
function inForce(recorded: TownRecord): Configured {
  const config = recorded.config as unknown as Config;
  return {
    config,
    agents: expandAgents(config.agents, Object.keys(config.runtimes ?? {})),
    configured: true,
    warnings: [],
  };
}

/** Bytes of a configuration; the parser has narrower limits of its own. */
const configLimitBytes = 4_000_000;

async function fromFile(root: string): Promise<Configured> {
  const path = join(root, 'gastown.yaml');
  if (!existsSync(path)) return { config: { agents: [] }, agents: [], configured: false, warnings: [] };
  // The YAML parser is only loaded where there is YAML to read: a running town has its configuration on record.
  const { parseConfig } = await import('../domain/config-parse.ts');
  return { ...parseConfig(readPlainText(path, configLimitBytes), 'gastown.yaml'), configured: true };
}

/** For tests alone: shortens all times (DESIGN section 6). */
export function timeScale(env: Env): number {
  const scale = Number(env['GASTOWN_TIME_SCALE']);
  return env['GASTOWN_TEST'] === '1' && scale > 0 && scale <= 1 ? scale : 1;
}

/** The folder of this package, found from this file whether it runs bundled or as source. */
export function packageRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'layouts')) && existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error('this program is not inside its package');
  }
}
