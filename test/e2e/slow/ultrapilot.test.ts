/** An ultrapilot from its plan to the joined branch, with real panes, real git and simulated agents (issue 6, done when 3). */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import type { UltrapilotView } from '../../../src/town/ultrapilot/view.ts';
import { gastown } from '../../support/in-process.ts';
import { until } from '../../support/private-tmux.ts';
import { installReal } from '../../support/real-runtimes/install.ts';
import { type FakeModel, startModel } from '../../support/real-runtimes/model.ts';
import { shellTurn } from '../../support/real-runtimes/scenario.ts';
import { seedHome } from '../../support/real-runtimes/seed.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

let town: ScratchTown;
let model: FakeModel | undefined;
afterEach(async () => {
  await town.stop();
  await model?.stop();
  model = undefined;
});

const plan = `# two parts
goal: the shop
coordinator: crew-me
workers:
  - {agent: polecat-alpha, task: build the cart and write src/till/stolen.ts, files: [src/cart/**]}
  - {agent: polecat-bravo, task: build the till, files: [src/till/**, till.md]}
`;
const view = async (): Promise<UltrapilotView> => JSON.parse((await gastown(town, ['ultrapilot', '--json'])).out);

it('waits for a human’s word, holds each worker to its files, and joins what they made on a branch of its own', async () => {
  town = scratchTown({
    config: `agents:
  - {id: crew-me, role: crew, runtime: sim}
  - {name: polecat, runtime: sim, count: 2, args: [--work-ms, "20000"]}
`,
    env: { GASTOWN_TIME_SCALE: '0.05' },
  });
  const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
  expect(up, up.err).toMatchObject({ code: 0 });
  town.write('../plan.yaml', plan);
  const planned = await gastown(town, ['mode', 'start', 'ultrapilot', 'crew-me', '--plan', '../plan.yaml']);
  expect(planned, planned.err).toMatchObject({ code: 0 });
  expect(planned.out).toContain('src/till/** till.md');
  expect(planned.out).toContain('nothing has begun: gastown ultrapilot start');
  const head = town.git('rev-parse', 'HEAD');
  const begun = await gastown(town, ['ultrapilot', 'start']);
  expect(begun, begun.err).toMatchObject({ code: 0 });
  // A worker that is killed in the middle goes on with its part, held to the same files.
  const runner = await until(
    'a worker at work',
    () => town.hook('polecat-bravo').status === 'active' && pidOf('polecat-bravo'),
  );
  process.kill(-runner, 'SIGKILL');
  const over = await until('its end', async () => ((await view()).active ? null : view()), 30_000);
  expect(over.ended).toContain('2 of 2 parts are in gastown/ultrapilot-');
  const branch = over.joined?.branch ?? '';
  const files = town.git('ls-tree', '-r', '--name-only', branch).trim().split('\n');
  const [alpha, bravo] = over.parts.map(({ bead_id }) => bead_id);
  expect(files.sort()).toEqual(['.gitignore', 'README.md', `src/cart/${alpha}.md`, `src/till/${bravo}.md`, 'till.md']);
  // The denial is on the worker's screen, with the owner named; the main checkout is as it was.
  expect(await peek('polecat-alpha')).toMatch(/src\/till\/stolen\.ts belongs to polecat-bravo/);
  expect([town.git('rev-parse', 'HEAD'), existsSync(join(town.root, 'src'))]).toEqual([head, false]);
  const journal = readFileSync(openStore(town.stateDir).paths.journal, 'utf8');
  expect(journal).toContain('"kind":"ultrapilot.joined"');
  expect(journal).toMatch(/"kind":"agent\.restarted","message":"polecat-bravo/);
}, 60_000);

/** What the pane shows, its line breaks left out. */
const peek = async (agent: string): Promise<string> =>
  (await town.run(['peek', agent, '--lines', '60'])).out.replace(/\n/g, '');

it('the real Claude Code: a write outside its set is denied before it happens, with the owner named; its part goes on', async () => {
  const program = await installReal('claude');
  town = scratchTown({ config: null });
  const tree = join(town.root, '.chipset/worktrees/polecat-alpha');
  const write = (file: string) => ({
    text: 'Writing.',
    tool: 'Write',
    args: { file_path: join(tree, file), content: 'x\n' },
  });
  model = await startModel(town.folder, {
    turns: [
      shellTurn('claude', '"$GT_BIN" hook start'),
      write('src/till/stolen.ts'),
      shellTurn('claude', 'echo x > src/till/also.ts'),
      write('src/cart/total.ts'),
      shellTurn('claude', 'git add --all && git -c user.name=a -c user.email=a@localhost commit -qm cart'),
      shellTurn('claude', '"$GT_BIN" done'),
      { text: 'The cart is built.' },
    ],
    default: { text: 'NOTHING-ELSE-TO-DO' },
  });
  const { args, env } = await seedHome('claude', {
    home: town.env['HOME'] ?? '',
    trees: [town.root, tree],
    modelUrl: model.url,
  });
  symlinkSync(program, join(town.folder, 'bin', 'claude'));
  const alpha = { id: 'polecat-alpha', role: 'polecat', runtime: 'claude', permissions: 'full', args, env };
  const others = [
    { id: 'crew-me', role: 'crew', runtime: 'sim' },
    { id: 'polecat-bravo', role: 'polecat', runtime: 'sim', args: ['--work-ms', '500'] },
  ];
  town.write('gastown.yaml', `agents: ${JSON.stringify([alpha, ...others])}\n`);
  const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
  expect(up, up.err).toMatchObject({ code: 0 });
  town.write('../plan.yaml', plan);
  const planned = await gastown(town, ['mode', 'start', 'ultrapilot', 'crew-me', '--plan', '../plan.yaml']);
  expect(planned, planned.err).toMatchObject({ code: 0 });
  const begun = await gastown(town, ['ultrapilot', 'start']);
  expect(begun, begun.err).toMatchObject({ code: 0 });
  const over = await until('its end', async () => ((await view()).active ? null : view()), 90_000);
  expect(over.ended).toContain('2 of 2 parts are in gastown/ultrapilot-');
  expect(existsSync(join(tree, 'src/till/stolen.ts')) || existsSync(join(tree, 'src/till/also.ts'))).toBe(false);
  expect(town.git('ls-tree', '-r', '--name-only', over.joined?.branch ?? '')).toContain('src/cart/total.ts');
  const asked = JSON.stringify((await model.turns()).map(({ body }) => body));
  expect(asked).toContain('src/till/stolen.ts belongs to polecat-bravo, not to polecat-alpha');
  expect(asked).toContain('src/till/also.ts belongs to polecat-bravo');
}, 150_000);

/** The runner of the agent's pane. */
function pidOf(agent: string): number | null {
  const read = openStore(town.stateDir).agents.read(agent);
  return read.kind === 'ok' ? read.value.pid : null;
}
