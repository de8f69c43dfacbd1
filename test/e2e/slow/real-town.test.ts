/** The real Claude Code, Codex and Gemini CLI in a town, each started by its own strategy (issue: done when, 3). */
import { describe, it } from 'vitest';
import { executesBead, type RealCase } from '../support/real-town.ts';

const cases: readonly RealCase[] = [
  { runtime: 'claude', strategy: 'hook_injection', primes: false, primeIn: 0, limitMs: 60_000 },
  { runtime: 'codex', strategy: 'startup_fallback', primes: true, primeIn: 1, limitMs: 60_000 },
  { runtime: 'gemini', strategy: 'polling', primes: false, primeIn: 0, limitMs: 90_000 },
];

describe('a real agent executes a bead slung to it, started by its own strategy (seed 001)', () => {
  it.each(cases)('$runtime by $strategy', executesBead);
});
