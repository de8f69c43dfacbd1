import { expect, test } from 'vitest';
import { roles } from '../../src/domain/config.ts';
import { permissionModes } from '../../src/domain/runtime.ts';
import { runtimeIds, runtimeOf } from '../../src/runtimes/registry.ts';
import { toolGroups } from '../../src/town/events/entry-script.ts';
import { startRequest } from './start-request.ts';

const id = '11111111-2222-4333-8444-555555555555';

test('one resolver answers every start: argv per runtime, permission mode and session', () => {
  const lines: string[] = [];
  for (const runtimeId of runtimeIds) {
    const { descriptor, plan } = runtimeOf(runtimeId);
    for (const permissions of permissionModes) {
      if (descriptor.permissions[permissions] === undefined) continue;
      for (const session of [{ session_id: id }, { resume: id }, { resume: 'latest' }]) {
        const request = startRequest({ permissions, strategy: descriptor.strategy, firstPrompt: 'PROMPT', ...session });
        const { argv, typed } = plan({ ...request, args: ['--mine', 'a b'] });
        const how = 'resume' in session ? `resume ${session.resume === id ? 'by id' : 'latest'}` : 'fresh';
        lines.push(
          `${runtimeId} ${permissions} ${how}: ${argv.join(' | ')}${typed === null ? '' : `  typed: ${typed}`}`,
        );
      }
    }
  }
  expect(lines.join('\n')).toMatchSnapshot();
});

test('the plan is the same for every role but for the role the program is told', () => {
  for (const runtimeId of runtimeIds) {
    const { descriptor, plan } = runtimeOf(runtimeId);
    const plans = roles.map((role) => {
      const made = plan(startRequest({ role, strategy: descriptor.strategy, firstPrompt: 'PROMPT' }));
      expect(made.env['GT_ROLE']).toBe(role);
      return { ...made, env: { ...made.env, GT_ROLE: '' } };
    });
    for (const made of plans) expect(made).toEqual(plans[0]);
  }
});

test('environment and files of a Claude start', () => {
  const { env, files } = runtimeOf('claude').plan(
    startRequest({ session_id: id, env: { MY: 'own', CLAUDECODE: '1' } }),
  );
  expect({ env, files }).toMatchSnapshot();
});

test('every tool event of Claude carries a word the fast path knows, or one of the two that wait for a human', () => {
  const [file] = runtimeOf('claude').plan(startRequest()).files;
  const words = [...(file?.text ?? '').matchAll(/gt-event (?:Pre|Post)ToolUse(?:Failure)? (\w+)"/g)].map(
    (match) => match[1],
  );
  expect([...new Set(words)].sort()).toEqual([...toolGroups, 'AskUserQuestion', 'ExitPlanMode'].sort());
});

test('decision 13: no mode but "full" carries a flag that bypasses anything', () => {
  for (const runtimeId of runtimeIds) {
    const { descriptor, plan } = runtimeOf(runtimeId);
    for (const permissions of permissionModes.filter((mode) => mode !== 'full')) {
      if (descriptor.permissions[permissions] === undefined) continue;
      const { argv } = plan(startRequest({ permissions, strategy: descriptor.strategy }));
      expect(argv.join(' ')).not.toMatch(/danger|bypass|yolo|skip|--auto\b/);
    }
  }
});

test('a permission mode the runtime does not have is refused, with the modes it has', () => {
  expect(() => runtimeOf('opencode').plan(startRequest({ permissions: 'auto-edit' }))).toThrow(
    /polecat-alpha: opencode has no permission mode "auto-edit"/,
  );
});

test('field report 01: startup_fallback types the prompt, whatever the runtime; it is then no argument', () => {
  for (const runtimeId of runtimeIds) {
    const made = runtimeOf(runtimeId).plan(startRequest({ strategy: 'startup_fallback', firstPrompt: 'PROMPT' }));
    expect(made.typed).toBe('PROMPT');
    expect(made.argv).not.toContain('PROMPT');
  }
});

test('an idle start hands over nothing', () => {
  for (const runtimeId of runtimeIds) {
    const { descriptor, plan } = runtimeOf(runtimeId);
    const made = plan(startRequest({ strategy: descriptor.strategy }));
    expect(made.typed).toBeNull();
    expect(made.argv).not.toContain('-i');
    expect(made.argv).not.toContain('--prompt');
  }
});

test('the pane finds gt first, and programs know themselves by GT_ variables', () => {
  const { env } = runtimeOf('codex').plan(startRequest({ strategy: 'startup_fallback', resume: id }));
  expect(env).toMatchObject({
    GT_AGENT_ID: 'polecat-alpha',
    GT_INSTANCE_ID: 'i-1',
    GT_STATE_DIR: '/town/.chipset/state',
    GT_BIN: '/town/.chipset/bin/gt',
    GT_SESSION_ID: id,
    PATH: '/town/.chipset/bin:/usr/bin:/bin',
    CLAUDECODE: null,
  });
});
