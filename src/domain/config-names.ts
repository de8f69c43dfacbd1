/** Agents by name: what the entries of `agents:` and the flag `--agents` stand for. */
import type { AgentConfig, AgentEntry } from './config.ts';
import { type GastownError, usage } from './errors.ts';
import { parseId } from './ids.ts';
import { nearest, suggestion } from './nearest.ts';
import { canonicalRuntime } from './strategy.ts';

// biome-ignore format: the alphabet reads best as one paragraph
const nato = [
  'alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india', 'juliett', 'kilo', 'lima', 'mike',
  'november', 'oscar', 'papa', 'quebec', 'romeo', 'sierra', 'tango', 'uniform', 'victor', 'whiskey', 'xray', 'yankee',
  'zulu',
] as const;

/** Runtimes that need no entry under `runtimes:`. */
export const builtInRuntimes = ['claude', 'codex', 'gemini', 'opencode', 'sim'] as const;

/** Mailboxes and gates of the town itself, and those who act on it. */
const reserved = ['deacon', 'operator', 'town', 'sling', 'human'];

/** `polecat-alpha` for 0, …, `polecat-zulu` for 25, then `polecat-27`. */
export const agentName = (name: string, index: number): string => `${name}-${nato[index] ?? index + 1}`;

/** Where an error belongs: the entry's index and key, for the position in the file. */
export type PlaceError = (entry: number, key: keyof AgentEntry | null, error: GastownError) => GastownError;

/**
 * The agents of the entries, in order. Throws (exit 1) for a bad or doubled id and an unknown runtime; `place` puts the
 * position before the message.
 */
export function expandAgents(
  entries: readonly AgentEntry[],
  declaredRuntimes: readonly string[] = [],
  place: PlaceError = (_entry, _key, error) => error,
): AgentConfig[] {
  const known = [...builtInRuntimes, ...declaredRuntimes];
  const agents = new Map<string, AgentConfig>();
  entries.forEach((entry, index) => {
    const fail = (key: keyof AgentEntry | null, message: string, next = '') => place(index, key, usage(message, next));
    if (entry.id !== undefined && entry.name !== undefined) {
      throw fail('name', 'an agent has an id or a name, not both', 'name goes with count; id is for one agent');
    }
    if (entry.id !== undefined && entry.count !== undefined) {
      throw fail('count', `count needs a name, and "${entry.id}" is an id`, 'write name instead of id');
    }
    const runtime = known.includes(entry.runtime) ? entry.runtime : canonicalRuntime(entry.runtime);
    if (!known.includes(runtime)) {
      throw fail('runtime', `unknown runtime ${quote(entry.runtime)}`, runtimeHint(entry.runtime, known));
    }
    for (const agent_id of idsOf(entry)) {
      checkId(agent_id, (message, next) => fail(entry.id === undefined ? 'name' : 'id', message, next));
      if (agents.has(agent_id)) {
        throw fail(entry.id === undefined ? 'name' : 'id', `there is a second agent "${agent_id}"`, 'names are unique');
      }
      agents.set(agent_id, {
        agent_id,
        role: entry.role ?? 'polecat',
        runtime,
        permissions: entry.permissions ?? 'default',
        args: [...(entry.args ?? [])],
        env: { ...entry.env },
      });
    }
  });
  return [...agents.values()];
}

/** An entry with neither id nor name is called after its role. */
function idsOf(entry: AgentEntry): string[] {
  if (entry.id !== undefined) return [entry.id];
  const name = entry.name ?? entry.role ?? 'polecat';
  return Array.from({ length: entry.count ?? 1 }, (_, index) => agentName(name, index));
}

function checkId(agentId: string, fail: (message: string, next: string) => GastownError): void {
  try {
    parseId('agent', agentId);
  } catch (error) {
    throw fail((error as GastownError).message, (error as GastownError).next);
  }
  if (reserved.includes(agentId)) throw fail(`"${agentId}" is a name of the town itself`, 'choose another');
}

const runtimeHint = (runtime: string, known: readonly string[]): string =>
  nearest(runtime, known) === null
    ? `use one of ${known.join(', ')}, or declare its command under "runtimes:"`
    : suggestion(runtime, known);

/** `claude:2,codex,gemini` → polecats alpha to delta. Throws a usage error for anything else. */
export function agentsFromFlag(flag: string, declaredRuntimes: readonly string[] = []): AgentEntry[] {
  const runtimes = flag.split(',').flatMap((part) => {
    const match = /^\s*([A-Za-z0-9_.-]+)(?::(\d{1,3}))?\s*$/.exec(part);
    const count = Number(match?.[2] ?? 1);
    if (!match?.[1] || count < 1 || count > 100) {
      throw usage(`--agents: cannot read ${quote(part)}`, 'write it like claude:2,codex,gemini (1 to 100 each)');
    }
    return Array.from({ length: count }, () => match[1] as string);
  });
  const entries = runtimes.map((runtime, index) => ({ id: agentName('polecat', index), runtime }));
  expandAgents(entries, declaredRuntimes, (_entry, _key, error) => usage(`--agents: ${error.message}`, error.next));
  return entries;
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 60));
