/** An ultrapilot from its plan to the joined branch, with real panes, real git and simulated agents (issue 6, done when 3). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import type { UltrapilotView } from '../../../src/town/ultrapilot/view.ts';
import { gastown } from '../../support/in-process.ts';
import { until } from '../../support/private-tmux.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

let town: ScratchTown;
afterEach(() => town.stop());

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
  - {name: polecat, runtime: sim, count: 2, args: [--work-ms, "2000"]}
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
}, 60_000);

/** What the pane shows, its line breaks left out. */
const peek = async (agent: string): Promise<string> =>
  (await town.run(['peek', agent, '--lines', '60'])).out.replace(/\n/g, '');
