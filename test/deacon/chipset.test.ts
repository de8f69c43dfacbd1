/** The chipset file of the reference shape: accepted, checked, and its gates evaluated at `up`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Chipset, checkTopology, chipsetSchema, evaluateGates } from '../../src/domain/chipset.ts';
import { parseYaml } from '../../src/domain/yaml-value.ts';
import { evaluateChipset, withChipset } from '../../src/town/chipset-gates.ts';
import { openTown, type Town } from '../../src/town/context.ts';
import { notifyHuman } from '../../src/town/deacon/notify.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

const reference = `
header: {name: gastown, version: 1.0.0, archetype: orchestration, description: x, provenance: y}
skills:
  required: [{name: mayor-coordinator, domain: orchestration, description: x, token_budget_weight: 0.25}]
  recommended: [{name: beads-state, domain: state, description: x, token_budget_weight: 0.18}]
agents:
  topology: mayor-witness
  agents:
    - {name: mayor, role: mayor, skills: [mayor-coordinator]}
    - {name: witness, role: witness, skills: [beads-state]}
    - {name: polecat-pool, role: polecat, skills: [beads-state], count: 5}
communication:
  channels: [{name: mail, type: mail, filesystem_path: state/mail/, behavior: durable}]
dispatch: {strategy: sling, max_parallel: 10, batch_threshold: 3, formula_support: true}
evaluation:
  gates:
    pre_deploy:
      - {check: agent_identity, threshold: 100, action: block}
      - {check: hook_durability, threshold: 100, action: block}
      - {check: gupp_response_time, threshold: 30, action: warn}
runtime: {providers: [{name: claude, capabilities: [hooks]}]}
gupp: {thresholds: {stall_detection: 200}}
`;

let scratch: ScratchTown;
let town: Town;
beforeEach(async () => {
  scratch = scratchTown({ git: false });
  town = await openTown({ cwd: scratch.root, env: scratch.env });
});
afterEach(() => scratch.stop());

describe('at up', () => {
  test('the reference shape is accepted, and a sound town passes', () => {
    scratch.write('chipset.yaml', reference);
    expect(evaluateChipset(town)).toEqual(['chipset.yaml: dispatch: max_parallel 10 is more than there are polecats']);
    const gates = town.store.journal.tail(10).entries.filter(({ kind }) => kind === 'chipset.gate');
    expect(gates.map(({ message }) => message)).toEqual([
      'agent_identity: 100 %, at least 100 % wanted',
      'hook_durability: 100 %, at least 100 % wanted',
      'gupp_response_time: nothing measured yet',
    ]);
  });

  test('its gupp block stands behind gastown.yaml’s, value by value', () => {
    scratch.write('chipset.yaml', reference);
    expect(withChipset(town).config.gupp?.thresholds).toEqual({ stall_detection: 200 });
    const own = {
      ...town,
      config: { ...town.config, gupp: { thresholds: { stall_detection: 90, nudge_interval: 40 } } },
    };
    expect(withChipset(own).config.gupp?.thresholds).toEqual({ stall_detection: 90, nudge_interval: 40 });
  });

  test('no chipset file, no opinion', () => expect(evaluateChipset(town)).toEqual([]));

  test('a corrupt hook blocks the start: exit 3, and it says which gate', async () => {
    scratch.write('chipset.yaml', reference);
    scratch.write('.chipset/state/hooks/polecat-alpha.json', '{');
    expect(() => evaluateChipset(town)).toThrow(/hook_durability: 50 %, at least 100 % wanted/);
    const up = await scratch.run(['up', '--detach']);
    expect(up.code, up.err).toBe(3);
    expect(up.err).toMatch(/hook_durability: 50 %/);
  }, 60_000);

  test('a wrong file is told with its place', () => {
    scratch.write('chipset.yaml', reference.replace('threshold: 30', 'threshold: soon'));
    expect(() => evaluateChipset(town)).toThrow(/chipset\.yaml:\d+:\d+/);
    scratch.write('chipset.yaml', reference.replace('state/mail/', '../../etc'));
    expect(() => evaluateChipset(town)).toThrow(/leads out of the town/);
  });
});

describe('topology and gates', () => {
  const parsed = (change: (text: string) => string): Chipset =>
    chipsetSchema.parse(parseYaml(change(reference), 'chipset.yaml').value);
  test.each([
    ['two mayors', (text: string) => text.replace('role: mayor,', 'role: mayor, count: 2,'), /exactly one mayor/],
    ['no witness', (text: string) => text.replace('role: witness', 'role: crew'), /at least one witness/],
    ['no polecat', (text: string) => text.replace('role: polecat', 'role: crew'), /at least one polecat/],
    ['a skill nobody has', (text: string) => text.replace('[mayor-coordinator]', '[flying]'), /wants the skill flying/],
    ['too heavy', (text: string) => text.replace('0.18', '0.9'), /more than 1/],
    ['twins', (text: string) => text.replace('name: witness', 'name: mayor'), /two are called mayor/],
  ])('%s', (_what, change, message) => {
    expect(checkTopology(parsed(change)).errors.join()).toMatch(message);
  });

  test('percent must be reached, seconds must not be passed; an unknown check is a warning, never silence', () => {
    const measures = { agent_identity: 99, hook_durability: 100, gupp_response_time: 31 };
    const gates = [
      { check: 'agent_identity', threshold: 100, action: 'block' as const },
      { check: 'hook_durability', threshold: 100, action: 'block' as const },
      { check: 'gupp_response_time', threshold: 30, action: 'log' as const },
      { check: 'moon_phase', threshold: 1, action: 'block' as const },
    ];
    expect(evaluateGates(gates, measures).map(({ action, passed }) => `${action} ${passed}`)).toEqual([
      'block false',
      'block true',
      'log false',
      'warn false',
    ]);
  });
});

test('an escalation reaches the configured webhook; one that does not answer is told in the journal', async () => {
  const got: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => got.push(text));
    request.on('end', () => response.end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const escalation = {
    escalation_id: 'esc-gt-1-1',
    kind: 'human_escalation',
    agent_id: 'polecat-alpha',
    bead_id: 'gt-1',
    message: 'HUMAN_ESCALATION: gt-1',
  } as const;
  const notified = { ...town, config: { ...town.config, notify: { webhook: url } } };
  await notifyHuman(notified, escalation);
  expect(JSON.parse(got.join(''))).toEqual({ town: town.name, ...escalation });
  await new Promise((done) => server.close(done));
  await notifyHuman(notified, escalation);
  expect(town.store.journal.tail(1).entries[0]?.kind).toBe('notify.failed');
});
