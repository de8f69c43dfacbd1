/** GUPP's choice of strategy and the detection of a runtime (seed 001, "Strategy Selection"), over injected facts. */
import { type Strategy, strategies } from './runtime.ts';

/** Runtimes that seed 001 names; anything else is `unknown` to it and is polled. */
export const providers = ['claude', 'codex', 'gemini', 'cursor', 'unknown'] as const;
export type Provider = (typeof providers)[number];

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    claude_code: 'claude',
    'claude-code': 'claude',
    'gemini-cli': 'gemini',
    gemini_cli: 'gemini',
    'codex-cli': 'codex',
    codex_cli: 'codex',
    'cursor-agent': 'cursor',
    'opencode-ai': 'opencode',
  }),
);

/** One name for one runtime: documents call Claude Code `claude`, `claude_code` and `claude-code`. */
export function canonicalRuntime(name: string): string {
  const key = name.trim().toLowerCase();
  return aliases.get(key) ?? key;
}

/**
 * The primary strategy of seed 001 by runtime. Gemini answers `polling`, as in the seed's switch; its preamble is added
 * at launch all the same. `opencode` takes its preamble by a flag; everything unknown is polled.
 */
export function guppStrategyOf(runtime: string): Strategy {
  switch (canonicalRuntime(runtime)) {
    case 'claude':
      return 'hook_injection';
    case 'codex':
    case 'sim':
      return 'startup_fallback';
    case 'opencode':
      return 'prompt_preamble';
    default:
      return 'polling';
  }
}

/** Facts of a process that asks which runtime it runs under. */
export interface DetectionFacts {
  /** The environment: GT_RUNTIME and CLAUDE_SESSION_ID are looked at. */
  env: Readonly<Record<string, string | undefined>>;
  /** Whether `.claude/settings.json` exists in the workspace. */
  claudeSettings: boolean;
  /** Names of the ancestor processes, nearest first. */
  processes: readonly string[];
}

export interface DetectedRuntime {
  provider: Provider;
  /** `GT_GUPP_STRATEGY` if it names a strategy, else the provider's own. */
  getGUPPStrategy(): Strategy;
  /** CLAUDE_SESSION_ID, else GT_SESSION_ID, else null. Null does not mean that there are no session hooks. */
  getSessionId(): string | null;
}

/**
 * First hit wins: GT_RUNTIME, CLAUDE_SESSION_ID, the nearest ancestor process, the workspace's Claude settings, unknown.
 * The process comes before the settings, because any repository with Claude settings would make a Codex pane "claude".
 */
export function detectFrom(facts: DetectionFacts): DetectedRuntime {
  const provider = detectProvider(facts);
  const wished = facts.env['GT_GUPP_STRATEGY'];
  return {
    provider,
    getGUPPStrategy: () => strategies.find((strategy) => strategy === wished) ?? guppStrategyOf(provider),
    getSessionId: () => facts.env['CLAUDE_SESSION_ID'] || facts.env['GT_SESSION_ID'] || null,
  };
}

function detectProvider(facts: DetectionFacts): Provider {
  const told = facts.env['GT_RUNTIME'];
  if (told) return asProvider(told);
  if (facts.env['CLAUDE_SESSION_ID']) return 'claude';
  for (const name of facts.processes) {
    const found = asProvider(name);
    if (found !== 'unknown') return found;
  }
  return facts.claudeSettings ? 'claude' : 'unknown';
}

const asProvider = (name: string): Provider =>
  providers.find((provider) => provider === canonicalRuntime(name)) ?? 'unknown';

export interface StrategyChoice {
  strategy: Strategy;
  /** One line for people when the wish could not be granted; else null. */
  warning: string | null;
}

/** The strategy in force: the wish where the runtime can do it, else its own with a warning. Never silent. */
export function chooseStrategy(
  runtime: { id: string; strategy: Strategy; feasible: readonly Strategy[] },
  wished: string | null,
): StrategyChoice {
  if (wished === null || wished === runtime.strategy) return { strategy: runtime.strategy, warning: null };
  const strategy = runtime.feasible.find((candidate) => candidate === wished);
  if (strategy !== undefined) return { strategy, warning: null };
  const known = strategies.some((candidate) => candidate === wished);
  const why = known
    ? `${runtime.id} cannot do ${wished}`
    : `no strategy is called ${JSON.stringify(wished.slice(0, 40))}`;
  return { strategy: runtime.strategy, warning: `${why}; using ${runtime.strategy}` };
}
