/** How a start goes when something about it is late, silent or missing: the work waits on the hook, and nothing is told twice. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentRecord } from '../../src/domain/records.ts';
import { until } from '../support/private-tmux.ts';
import { packageFolder, type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown | null = null;
afterEach(async () => {
  await town?.stop();
  town = null;
});

const fakeAgent = join(packageFolder, 'test/support/fake-agent.mjs');

/** A program on PATH that looks like Claude Code and fires no event at all. */
function silentClaude(of: ScratchTown, options: object): string {
  const log = join(of.folder, 'fake.jsonl');
  const all = JSON.stringify({ footer: '⏵⏵ auto mode on (shift+tab to cycle)', ...options });
  of.program(
    'claude',
    `#!/bin/sh\nFAKE_LOG='${log}' FAKE_OPTIONS='${all}' exec '${process.execPath}' '${fakeAgent}' "$@"\n`,
  );
  return log;
}

const submitted = (log: string): string[] =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { submitted?: string })
        .flatMap((entry) => (entry.submitted === undefined ? [] : [entry.submitted]))
    : [];

const recordOf = (of: ScratchTown, agent: string): AgentRecord =>
  JSON.parse(readFileSync(join(of.stateDir, 'agents', `${agent}.json`), 'utf8')) as AgentRecord;

describe('start', () => {
  it('field report 01: an agent whose SessionStart never comes is told by exactly one typed prompt, once it reads', async () => {
    const config = 'agents:\n  - {id: polecat-late, runtime: claude}\n';
    town = scratchTown({ config, env: { GASTOWN_TIME_SCALE: '0.1' } });
    const current = town;
    const log = silentClaude(town, { startMs: 2_000 });
    await town.json(['sling', 'begin late', 'polecat-late']);
    expect(await town.run(['up', '--detach'])).toMatchObject({ code: 0 });
    await until('the fallback prompt', () => submitted(log).length > 0, 30_000);
    await until('its receipt', () => recordOf(current, 'polecat-late').fallback_at !== null);
    // Two more windows pass: it is never typed again.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(submitted(log).filter((text) => text.includes('prime'))).toHaveLength(1);
    expect(town.hook('polecat-late')).toMatchObject({ status: 'pending' });
  }, 60_000);

  it('field report 25: the work is on the disk before the program of a new agent starts, and is in its prime', async () => {
    const config = [
      'agents:',
      '  - {id: polecat-early, runtime: early}',
      'worktrees: false',
      'runtimes:',
      '  early: {command: early, strategy: polling}',
    ].join('\n');
    town = scratchTown({ config });
    const current = town;
    const seen = join(town.folder, 'seen.json');
    town.program(
      'early',
      `#!/bin/sh\ncat "$GT_STATE_DIR/hooks/$GT_AGENT_ID.json" > '${seen}'\n"$GT_BIN" prime >> '${seen}.prime'\nsleep 600\n`,
    );
    expect(await town.run(['up', '--detach'])).toMatchObject({ code: 0 });
    await town.run(['stop', 'polecat-early']);
    await town.run(['start', 'polecat-early']);
    await town.run(['stop', 'polecat-early']);
    await town.json(['sling', 'be there first', 'polecat-early']);
    const hook = await until('the program to have looked', () => existsSync(seen) && readFileSync(seen, 'utf8') !== '');
    expect(hook).toBe(true);
    await until('a pending hook before its eyes', () => readFileSync(seen, 'utf8').includes('"pending"'));
    await until('the prime to name the work', () => readFileSync(`${seen}.prime`, 'utf8').includes('be there first'));
    expect(current.hook('polecat-early').status).toBe('pending');
  }, 60_000);

  it('field report 25: a hook that cannot be written starts nothing', async () => {
    town = scratchTown();
    expect(await town.run(['up', '--detach'])).toMatchObject({ code: 0 });
    await town.run(['stop', 'polecat-bravo']);
    const before = recordOf(town, 'polecat-bravo').instance_id;
    town.write('.chipset/state/hooks/polecat-bravo.json', '{"agent_id": "polecat-bravo", "status": "pen');
    const slung = await town.run(['sling', 'never mind', 'polecat-bravo']);
    expect(slung.code).toBe(4);
    expect(slung.err.trim().split('\n')).toHaveLength(1);
    expect(recordOf(town, 'polecat-bravo').instance_id).toBe(before);
    const beads = await town.json<{ beads: { status: string; assignee: string | null }[] } | { status: string }[]>([
      'bead',
      'list',
    ]);
    expect(JSON.stringify(beads)).toContain('"open"');
  }, 60_000);

  it('a program that is not there fails alone, with one line that says what to do', async () => {
    town = scratchTown({
      config: 'agents:\n  - {id: polecat-gone, runtime: codex}\n  - {id: polecat-here, runtime: sim}\n',
    });
    await town.json(['sling', 'wait for me', 'polecat-gone']);
    const up = await town.run(['up', '--detach']);
    expect(up.code).toBe(3);
    expect(up.out).toMatch(/polecat-gone +failed +.*codex.*PATH/);
    expect(town.hook('polecat-gone').status).toBe('pending');
    const status = await town.status();
    expect(status.agents.map(({ agent_id, state }) => [agent_id, state === 'dead'])).toEqual([
      ['polecat-gone', true],
      ['polecat-here', false],
    ]);
    expect(existsSync(join(town.root, '.chipset/worktrees/polecat-gone'))).toBe(false);
  }, 60_000);
});
