/** Modes in a town of simulated agents in real panes, served by the real deacon: commands, prompts, beads, cancel. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModeRecord } from '../../src/domain/mode/record.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { allModes } from '../../src/town/modes/records.ts';
import { gastown, gt } from '../support/in-process.ts';
import { until } from '../support/private-tmux.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
let store: Store;

beforeAll(async () => {
  town = scratchTown({
    config: `agents:\n  - {name: polecat, runtime: sim, count: 2}\nworktrees: false\nmodes: {test: 'test -e fixed'}\n`,
    env: { GASTOWN_TIME_SCALE: '0.02', GT_STALL_THRESHOLD: '600' },
  });
  const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
  expect(up, up.err).toMatchObject({ code: 0 });
  store = openStore(town.stateDir);
}, 60_000);

afterAll(async () => {
  await town?.stop();
}, 60_000);

const modeOf = (agentId: string): ModeRecord | undefined =>
  allModes(store).flatMap(({ read }) => (read.kind === 'ok' && read.value.agent_id === agentId ? [read.value] : []))[0];
const start = async (...words: string[]) => {
  const ran = await gastown(town, ['mode', 'start', ...words]);
  expect(ran, ran.err).toMatchObject({ code: 0 });
};
const journal = (kind: string): Record<string, string>[] =>
  readFileSync(store.paths.journal, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter((entry) => entry['kind'] === kind);
/** A tool of the agent's own, as a runtime with events would report it. */
const works = (agentId: string): void => store.heartbeat.touch(agentId, 'tool', 'PostToolUse');
const cancelAll = () => gastown(town, ['mode', 'cancel']);

describe('ultraqa', () => {
  it('the town runs the command, feeds the tail of the failure back, and ends when it is met', async () => {
    const count = join(town.folder, 'runs');
    writeFileSync(count, '');
    await start(
      'ultraqa',
      'polecat-alpha',
      'the count',
      '--command',
      `echo x >> ${count}; n=$(wc -l < ${count}); echo "only $n runs: FAIL-$n$n"; test $n -ge 3`,
    );
    const done = await until('the goal', () => modeOf('polecat-alpha')?.ended, 20_000);
    expect(done).toMatchObject({ kind: 'done', why: 'met in cycle 3' });
    expect(readFileSync(count, 'utf8').trim().split('\n').length).toBe(3);
    const typed = journal('mode.continued').filter(({ mode }) => mode === 'ultraqa');
    expect(typed.length).toBe(2);
    expect(typed.every(({ message }) => message?.includes('verified'))).toBe(true);
    const { out } = await town.run(['peek', 'polecat-alpha', '--lines', '200']);
    expect(out).toContain('FAIL-');
    await cancelAll();
  });

  it('the same failure three times ends it, and a human is told once', async () => {
    await start('ultraqa', 'polecat-alpha', 'never', '--command', 'echo "at $(date +%N) line $$: broken"; exit 4');
    const done = await until('the end', () => modeOf('polecat-alpha')?.ended, 20_000);
    expect(done).toMatchObject({ kind: 'failed', why: 'the same failure 3 times' });
    await until('the human', () => modeOf('polecat-alpha')?.ended?.told);
    const open = [...store.escalations.readAll().values()].flatMap((read) =>
      read.kind === 'ok' && read.value.kind === 'mode_failed' ? [read.value] : [],
    );
    expect(open.length).toBe(1);
    await cancelAll();
  });

  it('field report 44: cancel while its command runs: what comes of it is nothing', async () => {
    const mark = join(town.folder, 'late');
    await start('ultraqa', 'polecat-alpha', 'slow', '--command', `sleep 1; touch ${mark}; exit 1`);
    const before = journal('mode.gates').length;
    await until('the run', () => {
      const next = modeOf('polecat-alpha')?.next;
      return next?.kind === 'run' && next.running;
    });
    expect((await cancelAll()).code).toBe(0);
    await until('the end of the command', () => journal('mode.gates').length > before, 10_000);
    expect(modeOf('polecat-alpha')).toBeUndefined();
  });
});

describe('pipeline', () => {
  it('each stage is told the output of the one before, behind the gate the town runs', async () => {
    // It rests at once after each prompt, so it is told again and again meanwhile.
    await start('pipeline', 'polecat-alpha', '--stages', 'gather | write | check', '--max', '400');
    const working = setInterval(() => works('polecat-alpha'), 100);
    const gates = () => journal('mode.gates').filter(({ mode }) => mode === 'pipeline');
    const stage = (number: number) =>
      until(`stage ${number}`, () => modeOf('polecat-alpha')?.state['stage'] === number - 1, 10_000);
    await until('the first prompt', () => modeOf('polecat-alpha')?.continued_at, 10_000);
    const first = await gt(town, 'polecat-alpha', ['phase', 'done', 'FACTS-4711']);
    expect(first.out).toContain('The town runs test now');
    await until('the gate', () => gates().length === 1, 10_000);
    expect(gates()[0]?.['message']).toContain('test failed (1)');
    await until('its turn again', () => modeOf('polecat-alpha')?.next?.kind !== 'run', 10_000);
    expect(modeOf('polecat-alpha')?.state['stage']).toBe(0);
    town.write('fixed', '');
    const second = await gt(town, 'polecat-alpha', ['phase', 'done', 'FACTS-4712']);
    expect(second, second.err).toMatchObject({ code: 0 });
    await stage(2);
    await until(
      'its input on the screen',
      async () => (await town.run(['peek', 'polecat-alpha', '--lines', '200'])).out.includes('> FACTS-4712'),
      10_000,
    );
    await gt(town, 'polecat-alpha', ['phase', 'done']);
    await stage(3);
    await gt(town, 'polecat-alpha', ['phase', 'done']);
    const done = await until('the end', () => modeOf('polecat-alpha')?.ended, 10_000);
    clearInterval(working);
    expect(done).toMatchObject({ kind: 'done', why: 'all 3 stages are done' });
    await cancelAll();
  });
});

describe('ralph', () => {
  it('asks the reviewer of its start by its id, and only that agent or a human may answer', async () => {
    town.write('prd.json', JSON.stringify({ userStories: [{ id: 'US-001', title: 'a part', passes: true }] }));
    town.write('fixed', '');
    await start('ralph', 'polecat-alpha', 'the part', '--reviewer', 'polecat-bravo');
    const id = await until('the review', () => {
      const next = modeOf('polecat-alpha')?.next;
      return next?.kind === 'review' && next.told ? next.request_id : null;
    });
    await until(
      'the reviewer is told',
      async () => (await town.run(['peek', 'polecat-bravo', '--lines', '200'])).out.includes(id),
      10_000,
    );
    expect((await gt(town, 'polecat-alpha', ['mode', 'approve', id])).err).toContain('cannot review its own work');
    const verdict = await gt(town, 'polecat-bravo', ['mode', 'approve', id]);
    expect(verdict.out).toContain('ralph of polecat-alpha ends (approved)');
    expect(modeOf('polecat-alpha')?.ended).toMatchObject({ kind: 'done' });
    await cancelAll();
  });
});

describe('ultrawork', () => {
  it('ready beads go to as many agents as the budget allows, and it releases itself when none is left', async () => {
    for (const title of ['one', 'two', 'three']) await gastown(town, ['bead', 'add', title]);
    await start('ultrawork', 'polecat-alpha', 'the backlog', '--workers', '2');
    const done = await until(
      'release',
      async () => {
        for (const id of ['polecat-alpha', 'polecat-bravo']) {
          const hook = store.hooks.read(id);
          if (hook.kind === 'ok' && hook.value.status === 'completed') await gastown(town, ['clear', id]);
        }
        return modeOf('polecat-alpha')?.ended;
      },
      25_000,
    );
    expect(done).toMatchObject({ kind: 'done', why: 'no bead is left' });
    expect(journal('mode.dispatched').length).toBe(3);
    expect(
      [...store.beads.readAll().values()].every((read) => read.kind === 'ok' && read.value.status === 'done'),
    ).toBe(true);
  }, 40_000);
});
