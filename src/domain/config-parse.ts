/** `gastown.yaml` → the configuration and its agents. Pure; every error names file, line and column (exit 1). */
import { type AgentConfig, type AgentEntry, type Config, configSchema } from './config.ts';
import { explainIssue } from './config-issue.ts';
import { builtInRuntimes, expandAgents } from './config-names.ts';
import { usage } from './errors.ts';
import { suggestion } from './nearest.ts';
import { parseYaml, type YamlValue } from './yaml-value.ts';

export interface ParsedConfig {
  config: Config;
  agents: AgentConfig[];
  warnings: string[];
}

/** What `init` writes where it finds no agent program. */
export const simEntries: readonly AgentEntry[] = [{ name: 'polecat', runtime: 'sim', count: 2 }];

/**
 * `defaults` are the agents of a file without content (field report 60: empty means defaults). Of several mistakes the
 * first in the file is told, with how many more there are.
 */
export function parseConfig(
  text: string,
  fileName: string,
  defaults: readonly AgentEntry[] = simEntries,
): ParsedConfig {
  const yaml = parseYaml(text, fileName);
  if (yaml.value === null) {
    const config: Config = { agents: defaults.map((entry) => ({ ...entry })) };
    const names = expandAgents(config.agents).map((agent) => agent.agent_id);
    return {
      config,
      agents: expandAgents(config.agents),
      warnings: [`${fileName} is empty: using the defaults (${names.join(', ')})`],
    };
  }
  const config = checkShape(yaml, fileName);
  const declared = Object.keys(config.runtimes ?? {});
  const agents = expandAgents(config.agents, declared, (entry, key, error) =>
    usage(`${yaml.at(key === null ? ['agents', entry] : ['agents', entry, key])}: ${error.message}`, error.next),
  );
  checkRuntimes(config, declared, yaml);
  return { config, agents, warnings: [] };
}

function checkShape(yaml: YamlValue, fileName: string): Config {
  if (typeof yaml.value !== 'object' || Array.isArray(yaml.value)) {
    throw usage(`${yaml.at([])}: ${fileName} must be a map of keys, starting with "agents:"`);
  }
  const parsed = configSchema.safeParse(yaml.value);
  if (parsed.success) return parsed.data;
  const explained = parsed.error.issues
    .map((issue) => explainIssue(issue, configSchema, yaml.value))
    .map((issue) => ({ ...issue, at: yaml.at(issue.path) }))
    // A misspelt "agents" is both unknown and missing: the misspelling is what helps.
    .sort((a, b) => Number(a.missing) - Number(b.missing) || lineOf(a.at) - lineOf(b.at));
  const [first, ...more] = explained;
  if (!first) throw usage(`${fileName} is not a valid configuration`);
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  throw usage(`${first.at}: ${first.message}${others}`, first.next);
}

/** A misspelt runtime under `gupp.runtimes`, or a declared one without a command, would silently do nothing. */
function checkRuntimes(config: Config, declared: readonly string[], yaml: YamlValue): void {
  const known = [...builtInRuntimes, ...declared];
  for (const id of Object.keys(config.gupp?.runtimes ?? {})) {
    if (known.includes(id)) continue;
    throw usage(`${yaml.at(['gupp', 'runtimes', id])}: unknown runtime "${id}"`, suggestion(id, known));
  }
  for (const id of declared) {
    const isBuiltIn = (builtInRuntimes as readonly string[]).includes(id);
    if (isBuiltIn || config.runtimes?.[id]?.command) continue;
    throw usage(`${yaml.at(['runtimes', id])}: runtimes.${id} needs a command`, `write command: ${id}`);
  }
}

const lineOf = (at: string): number => {
  const [line = '0', column = '0'] = at.split(':').slice(-2);
  return Number(line) * 10_000 + Number(column);
};
