import { expect, test } from 'vitest';
import { GastownError } from '../../src/domain/errors.ts';
import { runtimeIds, runtimeOf } from '../../src/runtimes/registry.ts';
import { startRequest } from './start-request.ts';

const failure = (run: () => unknown): GastownError => {
  try {
    run();
  } catch (error) {
    if (error instanceof GastownError) return error;
  }
  throw new Error('did not refuse');
};

test('documents call Claude Code three things; all are one runtime', () => {
  for (const name of ['claude', 'claude_code', 'claude-code', 'Claude']) {
    expect(runtimeOf(name).descriptor.id).toBe('claude');
  }
  expect(runtimeOf('gemini-cli').descriptor.id).toBe('gemini');
});

test('an unknown runtime is a usage error with the nearest name', () => {
  const error = failure(() => runtimeOf('cluade'));
  expect(error.exit).toBe(1);
  expect(error.line).toBe('no runtime is called "cluade"; did you mean "claude"?');
  expect(failure(() => runtimeOf('constructor')).exit).toBe(1);
  expect(failure(() => runtimeOf('__proto__')).exit).toBe(1);
});

test('a configured runtime needs a command and is polled unless it says otherwise', () => {
  const { descriptor, plan } = runtimeOf('aider', { aider: { command: 'aider', args: ['--yes'], env: { A: '1' } } });
  expect(descriptor).toMatchObject({ id: 'aider', strategy: 'polling', events: null });
  const made = plan(startRequest({ strategy: 'polling', firstPrompt: 'text', args: ['--model', 'x'] }));
  expect(made.argv).toEqual(['aider', '--yes', '--model', 'x']);
  expect(made.typed).toBe('text');
  expect(made.env['A']).toBe('1');
  expect(failure(() => runtimeOf('aider', { aider: { args: [] } })).line).toMatch(
    /has no command; set runtimes\.aider\.command/,
  );
  expect(runtimeOf('x', { x: { command: 'x', strategy: 'prompt_preamble' } }).descriptor.strategy).toBe(
    'prompt_preamble',
  );
});

test('a configured entry is laid over the built-in of that name and loses none of its fields', () => {
  const plain = runtimeOf('claude').descriptor;
  const own = runtimeOf('claude', { claude: { command: '/opt/claude', args: ['--model', 'opus'] } }).descriptor;
  expect(own).toEqual({ ...plain, command: '/opt/claude', args: ['--model', 'opus'] });
  const made = runtimeOf('claude', { claude: { command: '/opt/claude', args: ['--model', 'opus'] } }).plan(
    startRequest(),
  );
  expect(made.argv.slice(0, 4)).toEqual(['/opt/claude', '--model', 'opus', '--settings']);
});

test('an entry under another name of the same runtime is not silently ignored', () => {
  const own = { 'claude-code': { args: ['--model', 'opus'] } };
  expect(runtimeOf('claude', own).descriptor).toMatchObject({ id: 'claude', args: ['--model', 'opus'] });
  expect(runtimeOf('claude_code', own).descriptor).toMatchObject({ id: 'claude', args: ['--model', 'opus'] });
});

test('a strategy the runtime cannot do is not laid over', () => {
  expect(runtimeOf('codex', { codex: { strategy: 'hook_injection' } }).descriptor.strategy).toBe('startup_fallback');
  expect(runtimeOf('codex', { codex: { strategy: 'polling' } }).descriptor.strategy).toBe('polling');
});

test('descriptors are frozen at every depth', () => {
  for (const id of runtimeIds) {
    const { descriptor } = runtimeOf(id);
    expect(() => Object.assign(descriptor.submit, { key: 'C-c' })).toThrow(TypeError);
    expect(Object.isFrozen(descriptor.screen.dialogs)).toBe(true);
  }
});

test('seed 001: provider thresholds exist only where the seed gives them', () => {
  expect(runtimeIds.map((id) => [id, runtimeOf(id).descriptor.thresholds])).toEqual([
    ['claude', { stall_detection: 120, nudge_interval: 120, never_began: 300 }],
    ['codex', { nudge_interval: 60 }],
    ['gemini', { stall_detection: 300 }],
    ['opencode', {}],
    ['sim', {}],
  ]);
});
