/** A town in the tmux worlds its users have: other servers, other configurations, small screens, many agents. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentRecord, TownRecord } from '../../../src/domain/records.ts';
import { type PrivateTmux, startPrivateTmux, until } from '../../support/private-tmux.ts';
import { type ScratchTown, scratchTown } from '../../support/town.ts';

let town: ScratchTown | null = null;
let users: PrivateTmux | null = null;
afterEach(async () => {
  await town?.stop();
  users?.stop();
  town = null;
  users = null;
});

const recordOf = (of: ScratchTown, agent: string): AgentRecord =>
  JSON.parse(readFileSync(join(of.stateDir, 'agents', `${agent}.json`), 'utf8')) as AgentRecord;

const tmuxOf = (of: ScratchTown) => {
  const { socket } = JSON.parse(readFileSync(join(of.stateDir, 'town.json'), 'utf8')) as TownRecord;
  return (...words: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-u', ...words], {
      env: { ...of.env, TMUX: undefined } as NodeJS.ProcessEnv,
      encoding: 'utf8',
    });
};

const ready = (of: ScratchTown) =>
  until('all agents to be idle', async () => (await of.status()).agents.every(({ state }) => state === 'idle'), 30_000);

describe('tmux worlds', () => {
  it('field report 09: start, nudge, peek, restart and stop work whatever the user counts windows and panes from', async () => {
    town = scratchTown();
    writeFileSync(
      join(town.env['HOME'] ?? '', '.tmux.conf'),
      'set -g base-index 1\nsetw -g pane-base-index 5\nset -g remain-on-exit on\nset -g default-command "false"\nset -g default-shell /bin/bash\nset -g prefix C-a\n',
    );
    const current = town;
    expect(await town.run(['up', '--detach'])).toMatchObject({ code: 0 });
    await ready(town);
    expect(await town.run(['nudge', 'polecat-alpha', 'hello there'])).toMatchObject({ code: 0 });
    const peeked = await town.run(['peek', 'polecat-alpha']);
    expect(peeked.out).toContain('hello there');
    const before = recordOf(town, 'polecat-alpha').instance_id;
    expect(await town.run(['restart', 'polecat-alpha'])).toMatchObject({ code: 0 });
    expect(recordOf(town, 'polecat-alpha').instance_id).not.toBe(before);
    await ready(town);
    expect(await town.run(['stop', 'polecat-alpha'])).toMatchObject({ code: 0 });
    await until('it is stopped', async () => (await current.status()).agents[0]?.state === 'stopped');
    expect(tmuxOf(town)('show-options', '-gv', 'prefix').trim()).toBe('C-a');
  }, 90_000);

  it("field report 14: from within the user's own tmux, that server stays as it was", async () => {
    users = startPrivateTmux('set -g base-index 1\n');
    for (const name of ['work', 'town', 'polecat-alpha']) users.tmux('new-session', '-d', '-s', name, 'sleep 600');
    const all = () => users?.tmux('list-panes', '-a', '-F', '#{session_name} #{pane_id} #{pane_pid} #{pane_dead}');
    const options = () => `${users?.tmux('show-options', '-g')}${users?.tmux('list-keys')}`;
    const before = [all(), options()];
    const pid = users.tmux('display-message', '-p', '#{pid}').trim();
    town = scratchTown({
      config: 'agents:\n  - {name: polecat, runtime: sim, count: 1}\n',
      env: { TMUX: `${users.socket},${pid},0`, TMUX_PANE: '%0', TMUX_TMPDIR: users.folder },
    });
    expect(await town.run(['up', '--detach'])).toMatchObject({ code: 0 });
    await ready(town);
    expect(await town.run(['nudge', 'polecat-alpha', 'only here'])).toMatchObject({ code: 0 });
    expect((await town.status()).town.socket).not.toBe(users.socket);
    expect(await town.run(['stop', 'polecat-alpha'])).toMatchObject({ code: 0 });
    expect(await town.run(['down'])).toMatchObject({ code: 0 });
    expect([all(), options()]).toEqual(before);
  }, 90_000);

  it('field report 16: forty agents come up, none of them squeezed, and a client then decides the size', async () => {
    town = scratchTown({
      config:
        'worktrees: false\nagents:\n  - {name: polecat, runtime: idle, count: 40}\nruntimes:\n  idle: {command: idle}\n',
    });
    town.program('idle', '#!/bin/sh\nexec sleep 600\n');
    const up = await town.run(['up', '--detach'], { timeoutMs: 60_000 });
    expect(up, up.err).toMatchObject({ code: 0 });
    const tmux = tmuxOf(town);
    const panes = tmux('list-panes', '-a', '-F', '#{session_name} #{@gt_label} #{pane_width} #{pane_height}')
      .split('\n')
      .filter((line) => line.startsWith('town polecat-'))
      .map((line) => line.split(' '));
    expect(panes).toHaveLength(40);
    expect(Math.min(...panes.map(([, , width]) => Number(width)))).toBeGreaterThanOrEqual(40);
    expect(Math.min(...panes.map(([, , , height]) => Number(height)))).toBeGreaterThanOrEqual(10);
    expect(tmux('show-options', '-wv', '-t', 'town:town', 'window-size').trim()).toBe('latest');
  }, 120_000);

  it('decision 19: a whole day of a town writes nothing outside the repository but its socket', async () => {
    town = scratchTown();
    const home = town.env['HOME'] ?? '';
    expect(await town.run(['up', '--detach'])).toMatchObject({ code: 0 });
    await ready(town);
    await town.json(['sling', 'write it', 'polecat-alpha']);
    const current = town;
    await until('it is done', () => current.hook('polecat-alpha').status === 'completed', 30_000);
    expect(await town.run(['down'])).toMatchObject({ code: 0 });
    expect(readdirSync(home)).toEqual([]);
    const run = readdirSync(join(town.folder, 'run'), { recursive: true });
    expect(run.every((name) => String(name).startsWith('gastown-'))).toBe(true);
    expect(town.git('status', '--porcelain').trim()).toBe('?? gastown.yaml');
  }, 90_000);

  it('the server killed from outside: status says gone, down ends, up starts everything again on its work', async () => {
    town = scratchTown();
    const current = town;
    expect(await town.run(['up', '--detach'])).toMatchObject({ code: 0 });
    await ready(town);
    await town.run(['sim', 'polecat-alpha', 'stall']);
    await town.json(['sling', 'survive this', 'polecat-alpha']);
    const { server_pid } = JSON.parse(readFileSync(join(town.stateDir, 'town.json'), 'utf8')) as TownRecord;
    process.kill(server_pid ?? 0, 'SIGKILL');
    const status = await until('the loss to be seen', async () => {
      const now = await current.status();
      return now.town.server === 'gone' ? now : null;
    });
    expect(status.town.running).toBe(false);
    expect(status.agents.find(({ agent_id }) => agent_id === 'polecat-alpha')?.hook.status).toMatch(/pending|active/);
    await town.run(['sim', 'polecat-alpha', 'recover']);
    expect(await town.run(['up', '--detach'], { timeoutMs: 40_000 })).toMatchObject({ code: 0 });
    await until('the work is done', () => current.hook('polecat-alpha').status === 'completed', 40_000);
    expect(existsSync(join(town.root, '.chipset/worktrees/polecat-alpha'))).toBe(true);
  }, 120_000);
});
