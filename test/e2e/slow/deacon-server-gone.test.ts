/** The tmux server dies under an attached town (issue 3, item 5): said what it took, and brought back by one key, by turns. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { JournalEntry, TownRecord } from '../../../src/domain/records.ts';
import { openStore } from '../../../src/store/store.ts';
import { type PrivateTmux, startPrivateTmux, until } from '../../support/private-tmux.ts';
import { gastownProgram, type ScratchTown, scratchTown } from '../../support/town.ts';

let town: ScratchTown | undefined;
let terminal: PrivateTmux | undefined;
afterEach(async () => {
  terminal?.stop();
  await town?.stop();
  town = undefined;
  terminal = undefined;
});

const recordOf = (at: ScratchTown): TownRecord =>
  JSON.parse(readFileSync(join(at.stateDir, 'town.json'), 'utf8')) as TownRecord;

function killServer(at: ScratchTown): void {
  const { server_pid: pid } = recordOf(at);
  if (pid === null) throw new Error('no server is on record');
  process.kill(pid, 'SIGKILL');
}

const journalOf = (at: ScratchTown, kind: string): JournalEntry[] =>
  openStore(at.stateDir)
    .journal.tail(1_000)
    .entries.filter((entry) => entry.kind === kind);

const states = async (at: ScratchTown): Promise<string[]> =>
  (await at.status()).agents.map(({ agent_id, state }) => `${agent_id} ${state}`);

test('the attaching gastown says what was lost, resumes all on one key, and stops offering when it dies again and again', async () => {
  const at = scratchTown({ config: 'agents:\n  - {name: polecat, runtime: sim, count: 5}\nworktrees: false\n' });
  town = at;
  terminal = startPrivateTmux();
  const outer = terminal;
  expect((await at.run(['up', '--detach'], { timeoutMs: 60_000 })).code).toBe(0);
  for (const id of ['polecat-alpha', 'polecat-echo']) await at.run(['sim', id, 'stall']);
  await at.run(['stop', 'polecat-bravo']);
  const beads: string[] = [];
  for (const id of ['polecat-alpha', 'polecat-echo']) {
    const { bead_id } = await at.json<{ bead_id: string }>(['bead', 'add', `work of ${id}`]);
    expect((await at.run(['sling', bead_id, id])).code).toBe(0);
    beads.push(bead_id);
  }
  const set = Object.entries(at.env).map(([name, value]) => `${name}='${value}'`);
  const command = `cd '${at.root}' && env -u CI ${set.join(' ')} '${process.execPath}' '${gastownProgram}'; echo "left with $?"; exec cat`;
  const pane = outer.tmux('new-window', '-P', '-F', '#{pane_id}', command).trim();
  outer.tmux('resize-window', '-t', pane, '-x', '150', '-y', '50');
  const screen = (): string => outer.tmux('capture-pane', '-p', '-J', '-t', pane);
  const shows = async (what: RegExp, limitMs = 30_000): Promise<void> => {
    await until(`the terminal to show ${what}`, () => what.test(screen()), limitMs).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${screen()}`);
    });
  };
  await shows(/polecat-alpha[\s\S]*sling/);
  // The attaching process looks at the panes every few seconds.
  await new Promise((done) => setTimeout(done, 6_000));

  killServer(at);
  await shows(/the tmux server of the town is gone/);
  await shows(/r resumes all of them/);
  expect(screen()).toMatch(new RegExp(`polecat-alpha: ${beads[0]} work of polecat-alpha, last: \\S`));
  expect(screen()).toMatch(/polecat-charlie: idle, last: \S/);
  expect(screen()).not.toMatch(/polecat-bravo:/);

  outer.tmux('send-keys', '-t', pane, 'r');
  await shows(/polecat-alpha[\s\S]*sling/);
  await until(
    'all but the stopped one back',
    async () => (await states(at)).every((one) => /bravo stopped|pending|working|idle|stalled/.test(one)),
    60_000,
  );
  const started = journalOf(at, 'agent.started').map(({ agent_id }) => agent_id);
  for (const id of ['polecat-alpha', 'polecat-charlie', 'polecat-delta', 'polecat-echo'])
    expect(started.filter((one) => one === id)).toHaveLength(2);
  expect(started.filter((one) => one === 'polecat-bravo')).toHaveLength(1);
  expect(at.hook('polecat-alpha').work_item?.bead_id).toBe(beads[0]);
  expect(journalOf(at, 'restart.requested')).toEqual([]);
  expect(journalOf(at, 'start.requested')).toEqual([]);

  killServer(at);
  await shows(/r resumes all of them/);
  outer.tmux('send-keys', '-t', pane, 'r');
  await shows(/polecat-alpha[\s\S]*sling/);
  killServer(at);
  await shows(/it died 3 times within minutes/);
  await shows(/left with 3/);
}, 180_000);

test('up --resume does the same by turns, brakes when those it starts end at once, and goes on later', async () => {
  const at = scratchTown({
    config: `agents:
  - {name: polecat, runtime: fragile, count: 8}
worktrees: false
runtimes:
  fragile: {command: fragile}
`,
  });
  town = at;
  const broken = join(at.folder, 'broken');
  at.program('fragile', `#!/bin/sh\nprintf '> '\n[ -e '${broken}' ] && exit 9\nexec sleep 600\n`);
  expect((await at.run(['up', '--detach'], { timeoutMs: 60_000 })).code).toBe(0);
  writeFileSync(broken, '');
  killServer(at);
  const braked = await at.run(['up', '--resume', '--detach'], { timeoutMs: 60_000 });
  expect(braked.code, braked.err + braked.out).toBe(3);
  expect(braked.err).toMatch(/lost polecat-alpha: idle/);
  expect(braked.err).toMatch(/3 of the last 3 ended at once: 5 more are not started; .*gastown up --resume/);
  expect(journalOf(at, 'resume.braked')).toHaveLength(1);
  const held = (await at.status()).agents.slice(3);
  expect(held.map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped', 'stopped', 'stopped']);

  rmSync(broken);
  expect(existsSync(broken)).toBe(false);
  const resumed = await at.run(['up', '--resume', '--detach'], { timeoutMs: 60_000 });
  expect(resumed.code, resumed.err + resumed.out).toBe(0);
  await until(
    'all eight',
    async () => (await at.status()).agents.every(({ state }) => state === 'idle' || state === 'spawning'),
    60_000,
  );
}, 180_000);
