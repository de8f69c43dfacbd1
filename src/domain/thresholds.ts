/** The thresholds in force for one agent (decision 4, seed 001): where each comes from, its range, and their order. */
import type { Config } from './config.ts';
import type { RuntimeDescriptor } from './runtime.ts';

/** All in milliseconds of the town's clock. */
export interface EffectiveThresholds {
  /** Silence with work on the hook beyond which the agent is stalled. */
  stallMs: number;
  /** Between two looks at an agent, and the window for an answer to a nudge. */
  nudgeMs: number;
  /** Silence after which a restart is asked for. */
  restartMs: number;
  /** The same for work that was never begun. */
  neverBeganMs: number;
  maxRestarts: number;
  /** At least so long between two restarts of one agent. */
  cooldownMs: number;
  /** One line for every value that was not taken as it was given. */
  warnings: readonly string[];
}

export interface ThresholdSources {
  env: Readonly<Record<string, string | undefined>>;
  config: Pick<Config, 'gupp'>;
  runtime: Pick<RuntimeDescriptor, 'id' | 'thresholds'>;
  /** 1, or what tests set to shorten all times. */
  timeScale: number;
}

type Name = 'stall_detection' | 'nudge_interval' | 'restart_threshold';

/** Seconds: what is built in, and the range of seed 001. */
const table: Record<Name, { builtIn: number; min: number; max: number; variable: string }> = {
  stall_detection: { builtIn: 300, min: 60, max: 1800, variable: 'GT_STALL_THRESHOLD' },
  nudge_interval: { builtIn: 120, min: 30, max: 600, variable: 'GT_NUDGE_INTERVAL' },
  restart_threshold: { builtIn: 600, min: 120, max: 1800, variable: 'GT_RESTART_THRESHOLD' },
};

/** Each value on its own, then the order among them; total, and every repair is told. */
export function effectiveThresholds({ env, config, runtime, timeScale }: ThresholdSources): EffectiveThresholds {
  const warnings: string[] = [];
  const warn = (text: string): void => {
    warnings.push(`${text} (${runtime.id})`);
  };
  const pick = (name: Name): number => {
    const own = config.gupp?.runtimes?.[runtime.id]?.[name];
    const provider = name === 'restart_threshold' ? undefined : runtime.thresholds[name];
    const fallback = own ?? provider ?? config.gupp?.thresholds?.[name] ?? table[name].builtIn;
    return fromEnvironment(env, name, warn) ?? fallback;
  };
  const clamped = (name: Name): number => clamp(name, pick(name), table[name].min, table[name].max, warn);

  const restart = clamped('restart_threshold');
  let stall = clamped('stall_detection');
  let nudge = clamped('nudge_interval');
  const lower = (name: Name, from: number, to: number, why: string): number => {
    warn(`${name} ${from} s ${why}: ${to} s is used`);
    return to;
  };
  if (stall >= restart) {
    stall = lower('stall_detection', stall, Math.floor(restart / 2), `is not below restart_threshold ${restart} s`);
  }
  if (nudge > stall) {
    nudge = lower('nudge_interval', nudge, Math.floor(stall / 2), `is above stall_detection ${stall} s`);
  }
  if (2 * nudge > restart) {
    const why = `is more than half of restart_threshold ${restart} s`;
    nudge = lower('nudge_interval', nudge, Math.floor(restart / 2), why);
  }
  const limits = config.gupp?.limits;
  const maxRestarts = clamp('max_restarts_per_bead', limits?.max_restarts_per_bead ?? 3, 0, 3, warn, '');
  const cooldown = clamp('restart_cooldown', limits?.restart_cooldown ?? 60, 60, 86_400, warn);
  const scaleMs = 1000 * timeScale;
  return {
    stallMs: stall * scaleMs,
    nudgeMs: nudge * scaleMs,
    restartMs: restart * scaleMs,
    neverBeganMs: neverBegan(runtime.thresholds.never_began, stall, restart, warn) * scaleMs,
    maxRestarts: Math.floor(maxRestarts),
    cooldownMs: cooldown * scaleMs,
    warnings,
  };
}

function fromEnvironment(env: ThresholdSources['env'], name: Name, warn: (text: string) => void): number | undefined {
  const text = env[table[name].variable]?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  warn(`${table[name].variable}=${JSON.stringify(text.slice(0, 20))} is not a number of seconds and is ignored`);
  return undefined;
}

function clamp(
  name: string,
  value: number,
  min: number,
  max: number,
  warn: (text: string) => void,
  unit = ' s',
): number {
  const within = Math.min(Math.max(value, min), max);
  if (within !== value) warn(`${name} ${value}${unit} is outside ${min}–${max}${unit}: ${within}${unit} is used`);
  return within;
}

/** The provider's own wait for a first sign lies between stall and restart, or gives way to restart. */
function neverBegan(given: number | undefined, stall: number, restart: number, warn: (text: string) => void): number {
  if (given === undefined || given === restart) return restart;
  if (given > stall && given < restart) return given;
  warn(
    `never-began ${given} s is not between stall_detection ${stall} s and restart_threshold ${restart} s: ${restart} s is used`,
  );
  return restart;
}
