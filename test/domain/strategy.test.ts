import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseStrategy, detectFrom, guppStrategyOf, providers } from '../../src/domain/strategy.ts';

const facts = { env: {}, claudeSettings: false, processes: [] };

test('seed 001: the primary strategy of each runtime, and polling for the unknown', () => {
  expect(['claude', 'codex', 'gemini', 'cursor', 'unknown', 'claude-code'].map(guppStrategyOf)).toEqual([
    'hook_injection',
    'startup_fallback',
    'polling',
    'polling',
    'polling',
    'hook_injection',
  ]);
});

test('detection: the first hit wins', () => {
  const all = { env: { GT_RUNTIME: 'codex', CLAUDE_SESSION_ID: 's' }, claudeSettings: true, processes: ['gemini'] };
  expect(detectFrom(all).provider).toBe('codex');
  expect(detectFrom({ ...all, env: { GT_RUNTIME: 'nonsense', CLAUDE_SESSION_ID: 's' } }).provider).toBe('unknown');
  expect(detectFrom({ ...all, env: { CLAUDE_SESSION_ID: 's' } }).provider).toBe('claude');
  expect(detectFrom({ ...all, env: {} }).provider).toBe('gemini');
  expect(detectFrom({ ...facts, claudeSettings: true, processes: ['bash', 'tmux'] }).provider).toBe('claude');
  expect(detectFrom(facts).provider).toBe('unknown');
});

test('the session id is Claude’s, else the town’s, else null', () => {
  expect(detectFrom({ ...facts, env: { CLAUDE_SESSION_ID: 'a', GT_SESSION_ID: 'b' } }).getSessionId()).toBe('a');
  expect(detectFrom({ ...facts, env: { GT_SESSION_ID: 'b' } }).getSessionId()).toBe('b');
  expect(detectFrom({ ...facts, env: { GT_SESSION_ID: '' } }).getSessionId()).toBeNull();
});

test('GT_GUPP_STRATEGY wins where it names a strategy', () => {
  expect(detectFrom({ ...facts, env: { GT_GUPP_STRATEGY: 'prompt_preamble' } }).getGUPPStrategy()).toBe(
    'prompt_preamble',
  );
  expect(detectFrom({ ...facts, env: { GT_GUPP_STRATEGY: 'magic' } }).getGUPPStrategy()).toBe('polling');
});

test('detection never throws', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('GT_RUNTIME', 'CLAUDE_SESSION_ID', 'GT_GUPP_STRATEGY'), fc.string()),
      fc.boolean(),
      fc.array(fc.string()),
      (env, claudeSettings, processes) => {
        const found = detectFrom({ env, claudeSettings, processes });
        expect(providers).toContain(found.provider);
        found.getGUPPStrategy();
      },
    ),
  );
});

test('an impossible wish is refused with a warning and the runtime’s own strategy is used', () => {
  const codex = { id: 'codex', strategy: 'startup_fallback', feasible: ['startup_fallback', 'polling'] } as const;
  expect(chooseStrategy(codex, null)).toEqual({ strategy: 'startup_fallback', warning: null });
  expect(chooseStrategy(codex, 'polling')).toEqual({ strategy: 'polling', warning: null });
  expect(chooseStrategy(codex, 'hook_injection')).toEqual({
    strategy: 'startup_fallback',
    warning: 'codex cannot do hook_injection; using startup_fallback',
  });
  expect(chooseStrategy(codex, 'magic').warning).toBe('no strategy is called "magic"; using startup_fallback');
});
