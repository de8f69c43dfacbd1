import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseConfig, simEntries } from '../../src/domain/config-parse.ts';
import { renderConfig } from '../../src/domain/config-render.ts';
import { configJsonSchema } from '../../src/domain/config-schema.ts';

const entries = [
  { name: 'polecat', runtime: 'claude', count: 2 },
  { id: 'polecat-codex', runtime: 'codex' },
];

test('what init writes is valid as it stands', () => {
  expect(parseConfig(renderConfig(entries), 'gastown.yaml').agents.map((agent) => agent.agent_id)).toEqual([
    'polecat-alpha',
    'polecat-bravo',
    'polecat-codex',
  ]);
  expect(parseConfig(renderConfig(simEntries), 'gastown.yaml').agents).toHaveLength(2);
});

test('every commented setting of it is valid when its comment sign is taken away', () => {
  const [agents, defaults = ''] = renderConfig(simEntries).split('# Everything below');
  const settings = defaults.replace(/^# (?=[a-z_]+:| {2})/gm, '');
  const { config } = parseConfig(`${agents}#${settings}`, 'gastown.yaml');
  expect(Object.keys(config).sort()).toEqual(
    ['agents', 'gate', 'gupp', 'layout', 'modes', 'notify', 'runtimes', 'tmux', 'verify', 'worktrees'].sort(),
  );
});

test('decision 13: init explains every permission', () => {
  for (const word of ['default', 'plan', 'auto-edit', 'full'])
    expect(renderConfig(entries)).toMatch(new RegExp(`#    +${word} `));
});

test('layouts/gastown.schema.json is made from the schema that is checked; else run: npm run schema', () => {
  const path = new URL('../../layouts/gastown.schema.json', import.meta.url);
  expect(readFileSync(path, 'utf8')).toBe(configJsonSchema());
});
