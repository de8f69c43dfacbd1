/**
 * A town with the real agent CLIs: a bead is slung, the CLI is started by its own strategy, the scripted model does what
 * the prime asks, and `gt done` completes the hook. Asserted on what the model was really sent (issue: done when, 3).
 */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../support/private-tmux.ts';
import { installReal, type RealRuntime } from '../../support/real-runtimes/install.ts';
import { type FakeModel, startModel } from '../../support/real-runtimes/model.ts';
import { workTurns } from '../../support/real-runtimes/scenario.ts';
import { seedHome } from '../../support/real-runtimes/seed.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

interface Case {
  runtime: RealRuntime;
  strategy: string;
  /** Runs `gt prime` itself, because a typed line told it to. */
  primes: boolean;
  /** Index of the model request in which the prime must stand. */
  primeIn: number;
  limitMs: number;
}

const cases: readonly Case[] = [
  { runtime: 'claude', strategy: 'hook_injection', primes: false, primeIn: 0, limitMs: 60_000 },
  { runtime: 'codex', strategy: 'startup_fallback', primes: true, primeIn: 1, limitMs: 60_000 },
  { runtime: 'gemini', strategy: 'polling', primes: false, primeIn: 0, limitMs: 90_000 },
  { runtime: 'opencode', strategy: 'prompt_preamble', primes: false, primeIn: 0, limitMs: 200_000 },
];

let town: ScratchTown | null = null;
let model: FakeModel | null = null;
afterEach(async () => {
  await town?.stop();
  await model?.stop();
  town = null;
  model = null;
});

describe('a real agent executes a bead slung to it, started by its own strategy (seed 001)', () => {
  it.each(cases)('$runtime by $strategy', async ({ runtime, strategy, primes, primeIn, limitMs }) => {
    const program = await installReal(runtime);
    town = scratchTown({ config: null });
    model = await startModel(town.folder, { turns: workTurns(runtime, 'proof.txt', { prime: primes }) });
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

    const current = town;
    await until(`${agent} completes ${bead}`, async () => current.hook(agent).status === 'completed', limitMs).catch(
      async (error: unknown) => {
        const shown = await current.run(['peek', agent, '--lines', '60']);
        const status = await current.run(['status', '--json']);
        throw new Error(`${String(error)}\n${shown.out}\n${status.out}\n${(await current.run(['log'])).out}`);
      },
    );

    expect(readFileSync(join(tree, 'proof.txt'), 'utf8')).toBe(`done by ${runtime}\n`);
    expect(existsSync(join(town.root, 'proof.txt'))).toBe(false);
    const status = await town.status();
    expect(status.agents.find((one) => one.agent_id === agent)).toMatchObject({ strategy, runtime, state: 'done' });
    const turns = await model.turns();
    expect(JSON.stringify(turns[primeIn]?.body)).toContain(`You are ${agent}`);
    expect(JSON.stringify(turns[primeIn]?.body)).toContain(bead);
  });
});
