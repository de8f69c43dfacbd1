import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { AgentRecord, TownRecord } from '../../src/domain/records.ts';
import type { TownStatus } from '../../src/domain/status.ts';
import { until } from '../support/private-tmux.ts';
import { type ScratchTown, scratchTown } from '../support/town.ts';

let town: ScratchTown;
afterEach(() => town.stop());

const record = <T>(path: string): T => JSON.parse(town.read(`.chipset/state/${path}`)) as T;
const stateOf = async (agent: string) => (await town.status()).agents.find(({ agent_id }) => agent_id === agent)?.state;

test('field report 11: a repository called my.app comes up, works and goes down like any other', async () => {
  town = scratchTown({ name: 'my.app' });
  expect(await town.run(['up', '--detach'])).toMatchObject({ code: 0, err: '' });
  expect((await town.status()).town).toMatchObject({ name: 'my.app', running: true, server: 'ok' });
  expect((await town.run(['sling', 'Paint the fence', 'polecat-alpha'])).code).toBe(0);
  await until('the work to be done', async () => (await stateOf('polecat-alpha')) === 'done', 60_000);
  expect((await town.run(['stop', 'polecat-bravo'])).code).toBe(0);
  expect(await stateOf('polecat-bravo')).toBe('stopped');
  const down = await town.run(['down', '--json']);
  expect(down.code).toBe(0);
  expect(JSON.parse(down.out)).toMatchObject({ running: true, survivors: [] });
  expect((await town.status()).town.running).toBe(false);
}, 120_000);

test('the bead of a sling ends done, in a worktree of its own, with its steps in the journal', async () => {
  town = scratchTown();
  await town.run(['up', '--detach']);
  const { bead } = await town.json<{ bead: { bead_id: string } }>(['sling', 'Mend the roof', 'polecat-alpha']);
  await until('the hook to be completed', () => town.hook('polecat-alpha').status === 'completed', 60_000);
  const { worktree } = record<AgentRecord>('agents/polecat-alpha.json');
  expect(worktree).toBe(join(town.root, '.chipset/worktrees/polecat-alpha'));
  const changed = town.git('-C', worktree ?? '', 'log', '--oneline', '--name-only', 'main..HEAD').trim();
  const uncommitted = town.git('-C', worktree ?? '', 'status', '--porcelain').trim();
  expect(changed + uncommitted).not.toBe('');
  const kinds = (await town.run(['log', 'polecat-alpha', '--json'])).out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { kind: string }).kind);
  for (const kind of ['agent.started', 'hook.set', 'hook.active', 'bead.done']) expect(kinds).toContain(kind);
  expect(record<{ status: string }>(`work/${bead.bead_id}.json`).status).toBe('done');
  expect((await town.run(['clear', 'polecat-alpha'])).code).toBe(0);
  expect(town.hook('polecat-alpha')).toMatchObject({ status: 'empty', work_item: null });
}, 120_000);

/** Notes what is on its hook as its very first act, then lives on. */
const witness = `#!/bin/sh
cp "$GT_STATE_DIR/hooks/$GT_AGENT_ID.json" "$GT_STATE_DIR/seen-at-start.json" || echo none >"$GT_STATE_DIR/seen-at-start.json"
exec cat
`;
const witnessTown = () => {
  const made = scratchTown({
    config: 'agents: [{id: alpha, runtime: witness}]\nruntimes: {witness: {command: witness}}\n',
  });
  made.program('witness', witness);
  return made;
};

test('field report 25: the hook is on disk before the program starts, which finds its work there', async () => {
  town = witnessTown();
  await town.run(['up', '--detach']);
  await town.run(['stop', 'alpha']);
  await until('the first start', () => existsSync(join(town.stateDir, 'seen-at-start.json')));
  expect((await town.run(['sling', 'Mend the roof', 'alpha'])).code).toBe(0);
  const seen = await until('the program to look at its hook', () => {
    const text = town.read('.chipset/state/seen-at-start.json');
    return text.includes('pending') ? JSON.parse(text) : null;
  });
  expect(seen).toMatchObject({ status: 'pending', work_item: { title: 'Mend the roof' } });
}, 60_000);

test('field report 25: where the hook cannot be written nothing is started, exit 4, and the bead stays open', async () => {
  town = witnessTown();
  await town.run(['up', '--detach']);
  await town.run(['stop', 'alpha']);
  const before = record<AgentRecord>('agents/alpha.json').instance_id;
  town.write('.chipset/state/hooks', 'a file where the folder should be');
  const { code, err } = await town.run(['sling', 'Mend the roof', 'alpha']);
  expect(err).toMatch(/^gastown: [^\n]+\n$/);
  expect(code).toBe(4);
  expect(record<AgentRecord>('agents/alpha.json').instance_id).toBe(before);
  const open = await town.json<{ status: string; assignee: string | null }[]>(['bead', 'list']);
  expect(open).toMatchObject([{ status: 'open', assignee: null }]);
}, 60_000);

test('up is idempotent: a second one starts nothing and says so', async () => {
  town = scratchTown();
  const first = await town.json<{ created: boolean; agents: { did: string }[] }>(['up', '--detach']);
  expect(first).toMatchObject({ created: true, agents: [{ did: 'started' }, { did: 'started' }] });
  const pids = (await town.status()).agents.map(({ pid }) => pid);
  const second = await town.json<{ created: boolean; agents: { did: string }[] }>(['up', '--detach']);
  expect(second).toMatchObject({ created: false, agents: [{ did: 'running' }, { did: 'running' }] });
  expect((await town.status()).agents.map(({ pid }) => pid)).toEqual(pids);
}, 60_000);

test('a missing program fails alone: exit 3, the others run, the hook stays pending', async () => {
  town = scratchTown({
    config:
      'agents: [{id: alpha, runtime: nosuch}, {id: bravo, runtime: sim}]\nruntimes: {nosuch: {command: no-such-program}}\n',
  });
  await town.run(['sling', 'Mend the roof', 'alpha']);
  const { code, out } = await town.run(['up', '--detach', '--json']);
  expect(code).toBe(3);
  const { agents } = JSON.parse(out) as { agents: { did: string; detail: string }[] };
  expect(agents.map(({ did }) => did)).toEqual(['failed', 'started']);
  expect(agents[0]?.detail).toContain('no-such-program');
  expect(town.hook('alpha').status).toBe('pending');
}, 60_000);

test.each([
  ['too old', '#!/bin/sh\n[ "$1" = -V ] && echo "tmux 3.1c"\nexit 1\n'],
  ['failing', '#!/bin/sh\necho "no tmux for you" >&2\nexit 1\n'],
])(
  'a tmux that is %s is one line, exit 3, and nothing is left running',
  async (_what, script) => {
    town = scratchTown();
    town.program('tmux', script);
    const { code, err } = await town.run(['up', '--detach']);
    expect(err).toMatch(/^gastown: [^\n]*tmux[^\n]*\n$/);
    expect(code).toBe(3);
    expect(existsSync(join(town.stateDir, 'town.json')) && record<TownRecord>('town.json').running).toBe(false);
  },
  60_000,
);

test('no tmux at all is one line that says how to get it', async () => {
  town = scratchTown();
  const { code, err } = await town.run(['up', '--detach'], { env: { PATH: join(town.folder, 'bin') } });
  expect(err).toMatch(/^gastown: [^\n]*tmux[^\n]*\n$/);
  expect(code).toBe(3);
}, 60_000);

test('the tmux server killed: status says so, the work is on the hooks, up starts the agents on it again', async () => {
  town = scratchTown();
  await town.run(['up', '--detach']);
  await town.run(['sim', 'polecat-alpha', 'stall']);
  await town.run(['sling', 'Mend the roof', 'polecat-alpha']);
  const { server_pid: server } = record<TownRecord>('town.json');
  process.kill(server ?? 0, 'SIGKILL');
  const gone = await until('the loss to show', async () => {
    const status = await town.status();
    return status.town.server === 'gone' ? status : null;
  });
  expect(gone.agents.map(({ hook }) => hook.status)).toEqual([expect.stringMatching(/^(pending|active)$/), 'empty']);
  await town.run(['sim', 'polecat-alpha', 'recover']);
  expect((await town.run(['up', '--detach'])).code).toBe(0);
  await until('the work to be done', () => town.hook('polecat-alpha').status === 'completed', 60_000);
}, 120_000);

test('status keys are those of DESIGN section 6, none missing', async () => {
  town = scratchTown();
  const status = await town.json<TownStatus>(['status']);
  expect(Object.keys(status).sort()).toEqual(['agents', 'deacon', 'escalations', 'handoffs', 'mail', 'town', 'work']);
  expect(Object.keys(status.town).sort()).toEqual(['name', 'root', 'running', 'server', 'socket']);
  // biome-ignore format: one paragraph
  expect(Object.keys(status.agents[0] ?? {}).sort()).toEqual([
    'agent_id', 'branch', 'detail', 'escalated', 'evidence', 'freshness', 'hook', 'idle_s', 'nudges', 'pane_id',
    'pending_nudge', 'pid', 'restarts', 'role', 'runtime', 'since', 'state', 'strategy', 'worktree',
  ]);
  expect(status.town.socket).toMatch(/^\//);
});
