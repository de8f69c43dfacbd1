import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gastown } from '../support/in-process.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
beforeEach(() => {
  town = scratchTown({ config: null });
});
afterEach(() => town.stop());

const commands = [
  ['status', '--json'],
  ['up', '--detach'],
  ['bead', 'list'],
  ['sling', 'a title'],
];
const bomb = Array.from({ length: 9 }, (_, level) =>
  level === 0
    ? 'a0: &a0 [x, x]'
    : `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
).join('\n');

describe('field report 60: a configuration that is wrong is exit 1, one line with its place, and nothing is written', () => {
  test.each([
    ['an alias bomb', bomb, /gastown\.yaml:\d+:\d+: /],
    ['a cycle', 'agents: &a [*a]', /gastown\.yaml:1:13: /],
    [
      'a doubled agent',
      'agents: [{id: alpha, runtime: sim}, {id: alpha, runtime: sim}]',
      /gastown\.yaml:1:38: .*"alpha"/,
    ],
    ['two documents', 'agents: [{runtime: sim}]\n---\nx: 1\n', /gastown\.yaml:2:1: /],
    ['a list', '- runtime: sim\n', /gastown\.yaml:1:1: /],
    ['an unknown tag', 'agents: !!js/function "x"\n', /gastown\.yaml:1:9: /],
    ['__proto__', '__proto__: {x: 1}\n', /gastown\.yaml:1:1: /],
    ['a misspelt key', 'agnets: [{runtime: sim}]\n', /gastown\.yaml:1:1: .*did you mean "agents"\?/],
    ['an unknown runtime', 'agents: [{runtime: simm}]\n', /gastown\.yaml:1:11: .*did you mean "sim"\?/],
    ['20 MB', `#${'x'.repeat(20_000_000)}`, /gastown\.yaml has 20000001 bytes, more than the limit/],
    ['NUL bytes', '\0\0\0', /gastown\.yaml:1:1: /],
  ])('%s', async (_what, text, line) => {
    town.write('gastown.yaml', text);
    for (const words of commands) {
      const { code, out, err } = await gastown(town, words);
      expect(err).toMatch(/^gastown: [^\n]+\n$/);
      expect(err).toMatch(line);
      expect([words, code, out]).toEqual([words, 1, '']);
    }
    expect(existsSync(join(town.root, '.chipset'))).toBe(false);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test.each(['', '# nothing yet\n', '\ufeff\r\n'])('%j means the defaults, exit 0', async (text) => {
    town.write('gastown.yaml', text);
    const { code, out, err } = await gastown(town, ['status', '--json']);
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: gastown.yaml is empty: [^\n]+\n$/);
    expect((JSON.parse(out) as { agents: unknown[] }).agents).toHaveLength(2);
  });

  test('a missing file is a town without agents, exit 0', async () => {
    const { code, out } = await gastown(town, ['status', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ town: { running: false }, agents: [] });
    expect(existsSync(join(town.root, '.chipset'))).toBe(false);
  });

  test('a folder in its place is one line', async () => {
    mkdirSync(join(town.root, 'gastown.yaml'));
    const { code, err } = await gastown(town, ['status']);
    expect(err).toMatch(/^gastown: cannot read [^\n]+gastown\.yaml[^\n]+\n$/);
    expect(code).toBe(1);
    rmSync(join(town.root, 'gastown.yaml'), { recursive: true });
  });

  // Root reads every file: there the case cannot be made.
  test.runIf(process.getuid?.() !== 0)('needs a user other than root: an unreadable file is one line', async () => {
    town.write('gastown.yaml', 'agents: [{runtime: sim}]');
    chmodSync(join(town.root, 'gastown.yaml'), 0);
    const { code, err } = await gastown(town, ['status']);
    expect(err).toMatch(/^gastown: cannot read [^\n]+\n$/);
    expect(code).toBe(1);
    chmodSync(join(town.root, 'gastown.yaml'), 0o600);
  });
});

describe('gastown init', () => {
  test('two simulated agents where no agent program is found; .chipset/ is ignored; nothing is written twice', async () => {
    writeFileSync(join(town.root, '.gitignore'), 'node_modules');
    const first = await gastown(town, ['init', '--json']);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.out)).toMatchObject({ config: { did: 'written' }, ignored: { did: 'written' }, found: [] });
    expect(town.read('.gitignore')).toBe('node_modules\n.chipset/\n');
    const status = await gastown(town, ['status', '--json']);
    expect((JSON.parse(status.out) as { agents: { runtime: string }[] }).agents.map(({ runtime }) => runtime)).toEqual([
      'sim',
      'sim',
    ]);
    const text = town.read('gastown.yaml');
    expect(JSON.parse((await gastown(town, ['init', '--json'])).out)).toMatchObject({
      config: { did: 'kept' },
      ignored: { did: 'kept' },
    });
    expect(town.read('gastown.yaml')).toBe(text);
    expect(town.read('.gitignore')).toBe('node_modules\n.chipset/\n');
  });

  test('agents for the runtimes that are found', async () => {
    for (const name of ['claude', 'gemini']) town.program(name, '#!/bin/sh\nexit 0\n');
    expect((JSON.parse((await gastown(town, ['init', '--json'])).out) as { found: string[] }).found).toEqual([
      'claude',
      'gemini',
    ]);
    const { agents } = JSON.parse((await gastown(town, ['status', '--json'])).out) as {
      agents: { agent_id: string; runtime: string }[];
    };
    expect(agents.map(({ agent_id, runtime }) => `${agent_id} ${runtime}`)).toEqual([
      'polecat-alpha claude',
      'polecat-bravo claude',
      'polecat-gemini gemini',
    ]);
  });
});
