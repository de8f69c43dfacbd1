import { describe, expect, test } from 'vitest';
import { agentName, agentsFromFlag, builtInRuntimes, expandAgents } from '../../src/domain/config-names.ts';
import { parseConfig } from '../../src/domain/config-parse.ts';
import { GastownError } from '../../src/domain/errors.ts';
import { runtimeIds } from '../../src/runtimes/registry.ts';

const parse = (text: string) => parseConfig(text, 'gastown.yaml');

/** The one line a person would read; the exit code is always 1. */
function lineOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
    expect(error.exit).toBe(1);
    expect(error.line).not.toContain('\n');
    return error.line;
  }
  throw new Error('no error was thrown');
}

test('the configuration of DESIGN section 6 is read as written', () => {
  const { config, agents, warnings } = parse(`agents:
  - {name: polecat, runtime: claude, count: 2}
  - {id: polecat-codex, role: polecat, runtime: codex, permissions: auto-edit, args: [], env: {}}
  - {id: crew-me, role: crew, runtime: claude}
layout: default
worktrees: true
gupp:
  thresholds: {stall_detection: 300, nudge_interval: 120, restart_threshold: 600}
  limits: {max_restarts_per_bead: 3, restart_cooldown: 60}
  runtimes: {claude: {stall_detection: 120}}
runtimes:
  aider: {command: aider, args: [--yes], strategy: prompt_preamble}
gate: {human_ack: optional}
tmux: {socket: private}
notify: {desktop: true, webhook: null}
handlers: {comment-checker: false}
`);
  expect(warnings).toEqual([]);
  expect(agents.map((agent) => `${agent.agent_id} ${agent.role} ${agent.runtime} ${agent.permissions}`)).toEqual([
    'polecat-alpha polecat claude default',
    'polecat-bravo polecat claude default',
    'polecat-codex polecat codex auto-edit',
    'crew-me crew claude default',
  ]);
  expect(config.runtimes).toEqual({ aider: { command: 'aider', args: ['--yes'], strategy: 'prompt_preamble' } });
});

test('count names by the NATO alphabet, alpha to zulu, then numbers from 27', () => {
  const ids = expandAgents([{ name: 'polecat', runtime: 'sim', count: 28 }]).map((agent) => agent.agent_id);
  expect(ids.slice(0, 3)).toEqual(['polecat-alpha', 'polecat-bravo', 'polecat-charlie']);
  expect(ids.slice(24)).toEqual(['polecat-yankee', 'polecat-zulu', 'polecat-27', 'polecat-28']);
  expect(agentName('crew', 0)).toBe('crew-alpha');
});

test('an entry without a name is called after its role, and without a role is a polecat', () => {
  const ids = expandAgents([{ runtime: 'sim' }, { runtime: 'sim', role: 'mayor' }]).map((agent) => agent.agent_id);
  expect(ids).toEqual(['polecat-alpha', 'mayor-alpha']);
});

test('the other names of a runtime are understood', () => {
  expect(expandAgents([{ runtime: 'claude-code' }])[0]?.runtime).toBe('claude');
});

test('--agents numbers its polecats through all runtimes', () => {
  expect(agentsFromFlag('claude:2, codex,gemini')).toEqual([
    { id: 'polecat-alpha', runtime: 'claude' },
    { id: 'polecat-bravo', runtime: 'claude' },
    { id: 'polecat-charlie', runtime: 'codex' },
    { id: 'polecat-delta', runtime: 'gemini' },
  ]);
  expect(agentsFromFlag('aider', ['aider'])).toEqual([{ id: 'polecat-alpha', runtime: 'aider' }]);
});

test.each(['', 'claude:0', 'claude:101', 'claude:x', ':2', 'claude,,codex', 'claude:-1', '../x'])(
  '--agents %j is refused in one line',
  (flag) => {
    expect(lineOf(() => agentsFromFlag(flag))).toMatch(/^--agents: /);
  },
);

test('--agents names the nearest runtime', () => {
  expect(lineOf(() => agentsFromFlag('cluade:2'))).toBe('--agents: unknown runtime "cluade"; did you mean "claude"?');
});

describe('a mistake is told with file, line, column and the nearest valid word', () => {
  test.each([
    ['agnets: []', 'gastown.yaml:1:1: unknown key "agnets" (and 1 more); did you mean "agents"?'],
    ['layout: wide', 'gastown.yaml:1:1: agents is missing'],
    ['agents: []', 'gastown.yaml:1:1: agents is empty'],
    ['agents: 3', 'gastown.yaml:1:1: agents must be a list, not 3'],
    ['agents:\n  - {runtime: claud}', 'gastown.yaml:2:6: unknown runtime "claud"; did you mean "claude"?'],
    [
      'agents:\n  - runtime: claude\n    role: polcat',
      'gastown.yaml:3:5: agents[0].role: "polcat" is not known; did you mean "polecat"?',
    ],
    [
      'agents:\n  - runtime: claude\n    cuont: 3',
      'gastown.yaml:3:5: unknown key "cuont" in agents[0]; did you mean "count"?',
    ],
    ['agents:\n  - {runtime: sim, count: 0}', 'gastown.yaml:2:20: agents[0].count is 0, less than 1'],
    ['agents:\n  - {runtime: sim, count: 101}', 'gastown.yaml:2:20: agents[0].count is 101, more than 100'],
    ['agents:\n  - {runtime: sim, count: two}', 'gastown.yaml:2:20: agents[0].count must be a number, not "two"'],
    ['agents: [{runtime: sim}]\nlayout:\n  x: 1', 'gastown.yaml:2:1: layout must be text, not a map'],
    [
      'agents: [{runtime: sim}]\ngupp: {thresholds: {stall_detecton: 3}}',
      'gastown.yaml:2:21: unknown key "stall_detecton" in gupp.thresholds; did you mean "stall_detection"?',
    ],
    [
      'agents: [{runtime: sim}]\ngupp: {runtimes: {calude: {}}}',
      'gastown.yaml:2:19: unknown runtime "calude"; did you mean "claude"?',
    ],
    [
      'agents: [{runtime: aider}]\nruntimes: {aider: {args: []}}',
      'gastown.yaml:2:12: runtimes.aider needs a command; write command: aider',
    ],
    ['agents: [{runtime: sim}]\nnotify: {webhook: foo}', 'gastown.yaml:2:10: notify.webhook: "foo" is not a URL'],
    ['agents: [{runtime: sim, id: x, name: y}]', /^gastown.yaml:1:32: an agent has an id or a name, not both; /],
    ['agents: [{runtime: sim, id: x, count: 2}]', /^gastown.yaml:1:32: count needs a name/],
    ['agents: [{runtime: sim, id: deacon}]', /^gastown.yaml:1:25: "deacon" is a name of the town itself; /],
    [`agents: [{runtime: sim, name: ${'a'.repeat(30)}}]`, /^gastown.yaml:1:25: not a valid agent name/],
  ])('%j', (text, line) => {
    if (typeof line === 'string') expect(lineOf(() => parse(text))).toBe(line);
    else expect(lineOf(() => parse(text))).toMatch(line);
  });

  test.each(['../x', 'a/b', 'Alpha', 'a b', 'é', 'v1.2', 'fix:12', 'a'.repeat(300), '-x', '.', '%1', '$HOME'])(
    'field report 11: the name %j is refused before anything is made of it',
    (id) => {
      const line = lineOf(() => parse(`agents: [{runtime: sim, id: ${JSON.stringify(id)}}]`));
      expect(line).toMatch(/^gastown.yaml:1:25: not a valid agent name: /);
      expect(line.length).toBeLessThan(250);
    },
  );
});

describe('field report 60: structure and limits of the YAML', () => {
  const bomb = Array.from({ length: 9 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x, x]'
      : `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
  ).join('\n');

  test.each([
    ['an alias bomb', bomb, /: aliases expand to more than 100000 values$/],
    ['an alias of itself', 'a: &a [*a]', 'gastown.yaml:1:8: *a contains itself'],
    ['an alias of nothing', 'agents: *b', 'gastown.yaml:1:9: no anchor &b before this alias'],
    ['a key twice', 'agents: [{runtime: sim}]\nagents: []', /^gastown.yaml:2:1: Map keys must be unique/],
    [
      'an agent twice',
      'agents:\n  - {id: alpha, runtime: sim}\n  - {id: alpha, runtime: sim}',
      'gastown.yaml:3:6: there is a second agent "alpha"; names are unique',
    ],
    ['two documents', 'agents: [{runtime: sim}]\n---\na: 1', /^gastown.yaml:2:1: .*multiple documents/],
    ['a scalar', 'hello', /^gastown.yaml:1:1: gastown.yaml must be a map/],
    ['a list', '- a', /^gastown.yaml:1:1: gastown.yaml must be a map/],
    ['__proto__ as key', '__proto__: {x: 1}', 'gastown.yaml:1:1: "__proto__" cannot be a key'],
    ['an unknown tag', 'agents: !!js/function "x"', /^gastown.yaml:1:9: Unresolved tag/],
    ['a tab', 'agents:\n\t- {runtime: sim}', /^gastown.yaml:2:1: Tabs are not allowed/],
    ['NUL bytes', 'agents: \0\0', 'gastown.yaml:1:9: a control character, not YAML text'],
    ['20 MB', `#${'x'.repeat(20_000_000)}`, 'gastown.yaml: 20000001 characters, more than the limit of 1000000'],
    ['100,000 brackets', '['.repeat(100_000), /^gastown.yaml:/],
    ['a merge of a text', 'agents: [{<<: x, runtime: sim}]', 'gastown.yaml:1:11: "<<" merges maps only'],
  ])('%s is refused with its position', (_what, text, line) => {
    if (typeof line === 'string') expect(lineOf(() => parse(text))).toBe(line);
    else expect(lineOf(() => parse(text))).toMatch(line);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test.each([['', '# only\n# comments\n', '\ufeff', '---\n', 'null'].flat()])('%j means the defaults', (text) => {
    const { agents, warnings } = parse(text);
    expect(agents.map((agent) => `${agent.agent_id} ${agent.runtime}`)).toEqual([
      'polecat-alpha sim',
      'polecat-bravo sim',
    ]);
    expect(warnings).toHaveLength(1);
  });

  test('120 honest aliases are accepted', () => {
    const uses = Array.from({ length: 120 }, (_, index) => `  - {id: a${index}, runtime: sim, env: *env}`);
    const { agents } = parse(['agents:', '  - {id: first, runtime: sim, env: &env {A: b}}', ...uses].join('\n'));
    expect(agents).toHaveLength(121);
    expect(agents.at(-1)?.env).toEqual({ A: 'b' });
  });

  test('500 merge keys are merged; a key written out wins', () => {
    const uses = Array.from({ length: 500 }, (_, index) => `  - {<<: *base, id: a${index}}`);
    const { agents } = parse(['agents:', '  - &base {id: base, runtime: sim, role: crew}', ...uses].join('\n'));
    expect(agents).toHaveLength(501);
    expect(agents.at(-1)).toMatchObject({ agent_id: 'a499', runtime: 'sim', role: 'crew' });
  });

  test('a byte order mark and CRLF change nothing', () => {
    expect(parse('\ufeffagents:\r\n  - {runtime: sim}\r\n').agents).toEqual(parse('agents: [{runtime: sim}]').agents);
  });
});

test('the built-in runtimes are those that have an adapter', () => {
  expect([...builtInRuntimes].sort()).toEqual([...runtimeIds].sort());
});
