/** The ladder on the real Claude Code whose model server hangs (issue 3, done when 2): nudged, restarted with its session, done. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { AgentRecord, JournalEntry } from '../../../src/domain/records.ts';
import { openStore } from '../../../src/store/store.ts';
import { until } from '../../support/private-tmux.ts';
import { installReal } from '../../support/real-runtimes/install.ts';
import { type FakeModel, startModel } from '../../support/real-runtimes/model.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';
import { seedHome } from '../../support/real-runtimes/seed.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

const agent = 'polecat-claude';
const thresholds = { stall_detection: 100, nudge_interval: 50, restart_threshold: 200 };

let town: ScratchTown | undefined;
let model: FakeModel | undefined;
afterEach(async () => {
  await town?.stop();
  await model?.stop();
  town = undefined;
  model = undefined;
});

test('a hanging model: nudge, restart with the session resumed, and the bead is finished', async () => {
  const program = await installReal('claude');
  town = scratchTown({ config: null, env: { GASTOWN_TIME_SCALE: '0.1' } });
  const here = town;
  model = await startModel(town.folder, {
    turns: [
      shellTurn('claude', '"$GT_BIN" hook start && echo FIRST-SESSION-MARK'),
      { hang: true },
      shellTurn('claude', "printf 'done after all\\n' > proof.txt"),
      shellTurn('claude', '"$GT_BIN" done'),
      { text: 'The bead is finished.' },
    ],
  });
  const tree = join(town.root, '.chipset/worktrees', agent);
  const seeded = await seedHome('claude', {
    home: town.env['HOME'] ?? '',
    trees: [town.root, tree],
    modelUrl: model.url,
  });
  symlinkSync(program, join(town.folder, 'bin', 'claude'));
  const entry = {
    id: agent,
    role: 'polecat',
    runtime: 'claude',
    permissions: 'full',
    args: seeded.args,
    env: seeded.env,
  };
  town.write(
    'gastown.yaml',
    `agents: ${JSON.stringify([entry])}\ngupp: ${JSON.stringify({ runtimes: { claude: thresholds } })}\n`,
  );

  const { bead_id: bead } = await town.json<{ bead_id: string }>(['bead', 'add', 'Write the proof file']);
  await town.json(['sling', bead, agent]);
  const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
  expect(up, up.err).toMatchObject({ code: 0 });
  const store = openStore(town.stateDir);
  const journal = (kind: string): JournalEntry[] =>
    store.journal.tail(1_000).entries.filter((line) => line.kind === kind);
  const run = (): AgentRecord | null => {
    const read = store.agents.read(agent);
    return read.kind === 'ok' ? read.value : null;
  };
  const seen = async (what: string, ask: () => boolean | Promise<boolean>, limitMs: number): Promise<void> => {
    await until(what, ask, limitMs).catch(async (error: unknown) => {
      const shown = await Promise.all([here.run(['peek', agent, '--lines', '60']), here.run(['log'])]);
      throw new Error(`${String(error)}\n${shown.map(({ out }) => out).join('\n')}`);
    });
  };

  await seen('the hook active', () => here.hook(agent).status === 'active', 60_000);
  const first = run()?.session_id ?? '';
  expect(first).not.toBe('');
  await seen('a nudge', () => journal('nudge').length > 0, 60_000);
  expect(journal('nudge')[0]?.message).toMatch(new RegExp(`${agent} has ${bead} on its hook and was silent for`));
  await seen('a restart', () => journal('restart.done').length > 0, 90_000);
  await seen('completion', () => here.hook(agent).status === 'completed', 90_000);

  expect(journal('restart.done').map(({ message }) => message.slice(0, 14))).toEqual(['restart 1 of 3']);
  expect(journal('escalated')).toEqual([]);
  expect(readFileSync(join(tree, 'proof.txt'), 'utf8')).toBe('done after all\n');
  expect(existsSync(join(town.root, 'proof.txt'))).toBe(false);
  // The same session went on: its name, and all that had been said in it.
  expect(run()?.session_id).toBe(first);
  const bodies = (await model.turns()).map(({ body }) => JSON.stringify(body));
  expect(bodies.length).toBeGreaterThanOrEqual(4);
  for (const body of bodies.slice(2)) expect(body).toContain('FIRST-SESSION-MARK');
  const ledger = store.ledgers.read(bead);
  expect(ledger.kind === 'ok' && ledger.value.restarts.map(({ outcome }) => outcome)).toEqual(['done']);
});
