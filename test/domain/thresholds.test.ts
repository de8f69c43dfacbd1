import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveThresholds } from '../../src/domain/thresholds.ts';

const claude = { id: 'claude', thresholds: { stall_detection: 120, nudge_interval: 120, never_began: 300 } };
const codex = { id: 'codex', thresholds: { nudge_interval: 60 } };
const gemini = { id: 'gemini', thresholds: { stall_detection: 300 } };
const plain = { id: 'sim', thresholds: {} };
const of = (runtime: typeof claude | typeof plain, given: Partial<Parameters<typeof effectiveThresholds>[0]> = {}) =>
  effectiveThresholds({ env: {}, config: {}, timeScale: 1, runtime, ...given });

describe('decision 4: where a threshold comes from', () => {
  test.each([
    [claude, 120, 120, 600, 300],
    [codex, 300, 60, 600, 600],
    [gemini, 300, 120, 600, 600],
    [plain, 300, 120, 600, 600],
  ])('seed 001: $0.id without any setting, and no warning', (runtime, stall, nudge, restart, never) => {
    expect(of(runtime)).toEqual({
      stallMs: stall * 1000,
      nudgeMs: nudge * 1000,
      restartMs: restart * 1000,
      neverBeganMs: never * 1000,
      maxRestarts: 3,
      cooldownMs: 60_000,
      warnings: [],
    });
  });

  test('environment, then the runtime block, then the provider, then gupp.thresholds', () => {
    const thresholds = { stall_detection: 400, nudge_interval: 100 };
    const runtimes = { claude: { stall_detection: 200 } };
    expect(of(claude, { config: { gupp: { thresholds } } })).toMatchObject({ stallMs: 120_000, nudgeMs: 120_000 });
    expect(of(plain, { config: { gupp: { thresholds } } })).toMatchObject({ stallMs: 400_000, nudgeMs: 100_000 });
    const both = { gupp: { thresholds, runtimes } };
    expect(of(claude, { config: both })).toMatchObject({ stallMs: 200_000, nudgeMs: 120_000, warnings: [] });
    expect(of(claude, { config: both, env: { GT_STALL_THRESHOLD: '240' } })).toMatchObject({ stallMs: 240_000 });
  });

  test('a variable that is no number is ignored and told, an empty one is not set', () => {
    const { stallMs, warnings } = of(plain, { env: { GT_STALL_THRESHOLD: '5m', GT_NUDGE_INTERVAL: '' } });
    expect(stallMs).toBe(300_000);
    expect(warnings).toEqual([expect.stringContaining('GT_STALL_THRESHOLD="5m"')]);
  });

  test('limits: three restarts at the most, a minute apart at the least', () => {
    const limits = { max_restarts_per_bead: 9, restart_cooldown: 5 };
    expect(of(plain, { config: { gupp: { limits } } })).toMatchObject({ maxRestarts: 3, cooldownMs: 60_000 });
    expect(of(plain, { config: { gupp: { limits: { max_restarts_per_bead: 1 } } } })).toMatchObject({ maxRestarts: 1 });
  });

  test('tests shorten all times alike', () => {
    expect(of(claude, { timeScale: 0.02 })).toMatchObject({ stallMs: 2_400, restartMs: 12_000, cooldownMs: 1_200 });
  });
});

describe('decision 4: the order always holds, and every repair is a warning', () => {
  test('over the whole grid of settings, in range and out of it', () => {
    const grid = [0, 29, 30, 31, 59, 60, 61, 90, 119, 120, 121, 299, 300, 599, 600, 601, 900, 1799, 1800, 1801, 99_999];
    for (const stall_detection of grid) {
      for (const nudge_interval of grid) {
        for (const restart_threshold of grid) {
          const given = { stall_detection, nudge_interval, restart_threshold };
          for (const runtime of [plain, claude]) check(runtime, given);
        }
      }
    }
  });

  test('for any numbers', () => {
    const seconds = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const given = fc.record({ stall_detection: seconds, nudge_interval: seconds, restart_threshold: seconds });
    fc.assert(fc.property(fc.constantFrom(plain, claude, codex), given, check));
  });

  function check(runtime: Parameters<typeof of>[0], given: Record<string, number>): void {
    const { stallMs, nudgeMs, restartMs, neverBeganMs, warnings } = of(runtime, {
      config: { gupp: { runtimes: { [runtime.id]: given } } },
    });
    const holds =
      nudgeMs <= stallMs &&
      stallMs < restartMs &&
      2 * nudgeMs <= restartMs &&
      stallMs < neverBeganMs &&
      neverBeganMs <= restartMs &&
      inRange(stallMs, 60, 1800) &&
      inRange(nudgeMs, 30, 600) &&
      inRange(restartMs, 120, 1800);
    const asGiven =
      stallMs === (given['stall_detection'] ?? 0) * 1000 &&
      nudgeMs === (given['nudge_interval'] ?? 0) * 1000 &&
      restartMs === (given['restart_threshold'] ?? 0) * 1000;
    if (!holds || (!asGiven && warnings.length === 0)) {
      throw new Error(JSON.stringify({ given, stallMs, nudgeMs, restartMs, neverBeganMs, warnings }));
    }
  }

  const inRange = (ms: number, min: number, max: number): boolean => ms >= min * 1000 && ms <= max * 1000;
});
