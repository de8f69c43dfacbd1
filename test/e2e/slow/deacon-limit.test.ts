/** Usage limits (issue 3, item 5): shown with their end, never nudged, and gone on with one after the other once they are over. */
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { standardPace } from '../../../src/domain/backoff.ts';
import type { JournalEntry } from '../../../src/domain/records.ts';
import { codexHooks as codexEvents } from '../../../src/runtimes/codex/event-settings.ts';
import { openStore } from '../../../src/store/store.ts';
import { type PatrolledTown, patrolledTown } from '../../deacon/patrolled-town.ts';
import { until } from '../../support/private-tmux.ts';
import { installReal } from '../../support/real-runtimes/install.ts';
import { type FakeModel, startModel } from '../../support/real-runtimes/model.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';
import { seedHome } from '../../support/real-runtimes/seed.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

let patrolled: PatrolledTown | undefined;
let town: ScratchTown | undefined;
let model: FakeModel | undefined;
afterEach(async () => {
  await patrolled?.stop();
  await town?.stop();
  await model?.stop();
  patrolled = undefined;
  town = undefined;
  model = undefined;
});

test('three sims at a limit are limited, leave it after its reset one by one, and finish their beads', async () => {
  const names = ['polecat-alpha', 'polecat-bravo', 'polecat-charlie'];
  const scale = 0.05;
  const at = await patrolledTown(scale, {
    config: `agents:\n  - {name: polecat, runtime: sim, count: 3}\nworktrees: false
gupp:\n  thresholds: {stall_detection: 60, nudge_interval: 30, restart_threshold: 120}\n`,
  });
  patrolled = at;
  const deacon = at.patrol();
  for (const name of names) {
    await at.scratch.run(['sim', name, 'limit', '--seconds', '300']);
    const { bead_id } = await at.scratch.json<{ bead_id: string }>(['bead', 'add', `work of ${name}`]);
    await at.scratch.run(['sling', bead_id, name]);
  }
  for (const name of names) {
    await at.until(`the limit of ${name}`, () => deacon.lines.some((line) => line.startsWith(`${name}: limited`)));
  }
  const row = (await at.scratch.status()).agents[0];
  expect(row).toMatchObject({ state: 'limited', detail: expect.stringMatching(/^in \d+ s: .*resets \d{4}-/) });
  for (const name of names) {
    await at.until(`${name} done`, () => at.scratch.hook(name).status === 'completed', 60_000);
  }
  expect((await at.scratch.status()).agents.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  const nudges = at.journal('nudge');
  expect(nudges.map(({ message }) => message)).toEqual(
    names.map(() => expect.stringMatching(/usage limit .* is over/)),
  );
  const times = nudges.map(({ at: time }) => Date.parse(time)).sort((a, b) => a - b);
  for (const [index, time] of times.entries()) {
    if (index > 0) expect(time - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(standardPace.staggerMs * scale - 50);
  }
  expect(at.journal('restart.requested')).toEqual([]);
}, 180_000);

const atLimit = {
  claude: {
    error: 429,
    error_message: "This request would exceed your account's rate limit. Your limit resets in 25 seconds",
  },
  codex: { error: 429, error_body: { error: { type: 'usage_limit_reached', plan_type: 'plus', message: 'limit' } } },
};

test.each([
  { runtime: 'claude', told: 'by its own event', says: /^in \d+ s: .*limit resets in 25 seconds/ },
  { runtime: 'codex', told: 'in its own log', says: /^in \d+ s: .*limit/ },
] as const)(
  'the real $runtime at its limit, told $told: never nudged, gone on with when it is over, and done',
  async (real) => {
    const { runtime, says } = real;
    const program = await installReal(runtime);
    const here = scratchTown({ config: null, env: { GASTOWN_TIME_SCALE: '0.1' } });
    town = here;
    model = await startModel(here.folder, {
      turns: [
        ...(runtime === 'codex' ? [shellTurn(runtime, '"$GT_BIN" prime')] : []),
        shellTurn(runtime, '"$GT_BIN" hook start'),
        atLimit[runtime],
        shellTurn(runtime, "printf 'done later\\n' > proof.txt"),
        shellTurn(runtime, '"$GT_BIN" done'),
        { text: 'The bead is finished.' },
      ],
    });
    const agent = `polecat-${runtime}`;
    const tree = join(here.root, '.chipset/worktrees', agent);
    const home = here.env['HOME'] ?? '';
    const codexHooks = runtime === 'codex' ? { codexHooks: codexEvents() } : {};
    const seeded = await seedHome(runtime, { home, trees: [here.root, tree], modelUrl: model.url, ...codexHooks });
    symlinkSync(program, join(here.folder, 'bin', runtime));
    const env = { ...seeded.env, CLAUDE_CODE_MAX_RETRIES: '0' };
    const entry = { id: agent, role: 'polecat', runtime, permissions: 'full', args: seeded.args, env };
    const thresholds = { stall_detection: 300, nudge_interval: 100, restart_threshold: 900 };
    here.write(
      'gastown.yaml',
      `agents: ${JSON.stringify([entry])}\ngupp: ${JSON.stringify({ runtimes: { [runtime]: thresholds } })}\n`,
    );
    const { bead_id: bead } = await here.json<{ bead_id: string }>(['bead', 'add', 'Write the proof file']);
    await here.json(['sling', bead, agent]);
    const up = await here.run(['up', '--detach'], { timeoutMs: 60_000 });
    expect(up, up.err).toMatchObject({ code: 0 });
    const journal = (kind: string): JournalEntry[] =>
      openStore(here.stateDir)
        .journal.tail(1_000)
        .entries.filter((line) => line.kind === kind);
    const seen = (what: string, ask: () => boolean | Promise<boolean>, limitMs: number): Promise<unknown> =>
      until(what, ask, limitMs).catch(async (error: unknown) => {
        const shown = await Promise.all([
          here.run(['peek', agent, '--lines', '60']),
          here.run(['log']),
          here.run(['status', '--json']),
        ]);
        throw new Error(`${String(error)}\n${shown.map(({ out }) => out).join('\n')}`);
      });
    const row = async () => (await here.status()).agents[0];
    await seen('the limit', async () => (await row())?.state === 'limited', 60_000);
    expect((await row())?.detail).toMatch(says);
    if (runtime === 'codex') expect(journal('limit.logged')).toHaveLength(1);
    await seen('completion', () => here.hook(agent).status === 'completed', 90_000);
    expect(readFileSync(join(tree, 'proof.txt'), 'utf8')).toBe('done later\n');
    expect(journal('nudge').map(({ message }) => message)).toEqual([`the usage limit of ${agent} is over`]);
    expect(journal('restart.requested')).toEqual([]);
    expect((await row())?.state).toBe('done');
  },
);
