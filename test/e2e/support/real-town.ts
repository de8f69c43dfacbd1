/**
 * One run of a town with a real agent CLI: a bead is slung, the CLI is started by its own strategy, the scripted model does what
 * the prime asks, and `gt done` completes the hook. Asserted on what the model was really sent (issue: done when, 3).
 */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../../support/private-tmux.ts';
import { installReal, type RealRuntime } from '../../support/real-runtimes/install.ts';
import { type FakeModel, startModel } from '../../support/real-runtimes/model.ts';
import { workTurns } from '../../support/real-runtimes/scenario.ts';
import { seedHome } from '../../support/real-runtimes/seed.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

export interface RealCase {
  runtime: RealRuntime;
  strategy: string;
  /** Runs `gt prime` itself, because a typed line told it to. */
  primes: boolean;
  /** Index of the model request in which the prime must stand. */
  primeIn: number;
  limitMs: number;
}

/** Puts up a town, lets the CLI do one bead, and asserts on the files, the status and what the model was really sent. */
export async function executesBead({ runtime, strategy, primes, primeIn, limitMs }: RealCase): Promise<void> {
  const program = await installReal(runtime);
  const town = scratchTown({ config: null });
  let model: FakeModel | null = null;
  try {
    model = await startModel(town.folder, { turns: workTurns(runtime, 'proof.txt', { prime: primes }) });
    await runIn(town, model, program, { runtime, strategy, primes, primeIn, limitMs });
  } finally {
    await town.stop();
    await model?.stop();
  }
}

async function runIn(
  town: ScratchTown,
  model: FakeModel,
  program: string,
  { runtime, strategy, primeIn, limitMs }: RealCase,
): Promise<void> {
  const agent = `polecat-${runtime}`;
  const tree = join(town.root, '.chipset/worktrees', agent);
  const seeded = await seedHome(runtime, {
    home: town.env['HOME'] ?? '',
    trees: [town.root, tree],
    modelUrl: model.url,
  });
  symlinkSync(program, join(town.folder, 'bin', runtime));
  const entry = {
    id: agent,
    role: 'polecat',
    runtime,
    permissions: 'full',
    args: seeded.args,
    env: seeded.env,
  };
  town.write('gastown.yaml', `agents: ${JSON.stringify([entry])}\n`);

  const { bead_id: bead } = await town.json<{ bead_id: string }>(['bead', 'add', 'Write the proof file']);
  await town.json(['sling', bead, agent]);
  expect(town.hook(agent).status).toBe('pending');
  const up = await town.run(['up', '--detach']);
  expect(up, up.err).toMatchObject({ code: 0 });

  await until(`${agent} completes ${bead}`, async () => town.hook(agent).status === 'completed', limitMs).catch(
    async (error: unknown) => {
      const shown = await town.run(['peek', agent, '--lines', '60']);
      const status = await town.run(['status', '--json']);
      throw new Error(`${String(error)}\n${shown.out}\n${status.out}\n${(await town.run(['log'])).out}`);
    },
  );

  expect(readFileSync(join(tree, 'proof.txt'), 'utf8')).toBe(`done by ${runtime}\n`);
  expect(existsSync(join(town.root, 'proof.txt'))).toBe(false);
  const status = await town.status();
  expect(status.agents.find((one) => one.agent_id === agent)).toMatchObject({ strategy, runtime, state: 'done' });
  const turns = await model.turns();
  expect(JSON.stringify(turns[primeIn]?.body)).toContain(`You are ${agent}`);
  expect(JSON.stringify(turns[primeIn]?.body)).toContain(bead);
}
