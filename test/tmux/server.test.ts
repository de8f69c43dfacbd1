import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sessionNames } from '../../src/tmux/anchor.ts';
import { capturePanes } from '../../src/tmux/capture.ts';
import { connectControl } from '../../src/tmux/control-client.ts';
import { addAgentPane } from '../../src/tmux/layout-add.ts';
import { buildTown, endSession, type Place } from '../../src/tmux/layout-build.ts';
import { loadLayout } from '../../src/tmux/layout-file.ts';
import { type PaneSpec, respawnPane } from '../../src/tmux/pane-start.ts';
import { listPanes } from '../../src/tmux/panes.ts';
import { probeProcess } from '../../src/tmux/process.ts';
import { identifyServer, probeServer, startServer, stopServer } from '../../src/tmux/server.ts';
import { settingsOf } from '../../src/tmux/server-conf.ts';
import { spawnTmux } from '../../src/tmux/spawn-client.ts';
import { isRecent } from '../../src/tmux/version.ts';
import { type PrivateTmux, privateTmux, startPrivateTmux, until } from '../support/private-tmux.ts';

const names = sessionNames(null);
const shipped = new URL('../../layouts', import.meta.url).pathname;
const spec = (label: string): PaneSpec => ({
  label,
  cwd: '/',
  argv: ['sh', '-c', 'echo I am here; exec cat'],
  env: {},
});
const place = async (): Promise<Place> => ({
  names,
  layout: await loadLayout('default', [shipped]),
  size: { width: 200, height: 50 },
  shared: false,
  title: 'town',
});

const servers: PrivateTmux[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

function scratch(): PrivateTmux {
  const server = privateTmux();
  servers.push(server);
  return server;
}

const start = (server: PrivateTmux, env: NodeJS.ProcessEnv = {}) =>
  startServer({
    socket: server.socket,
    anchor: names.anchor,
    shared: false,
    env: { PATH: process.env['PATH'], HOME: server.folder, ...env },
  });

describe('startServer', () => {
  it.each([
    ['base-index 1', 'set -g base-index 1\nsetw -g pane-base-index 1\n'],
    [
      'base-index 5 and 0, default-shell and default-command',
      'set -g base-index 5\nsetw -g pane-base-index 0\nset -g default-shell /bin/false\nset -g default-command "exec false"\n',
    ],
    [
      'options that end things, programs, hooks and plugins',
      'set -g remain-on-exit on\nset -g destroy-unattached on\nset -g exit-empty on\nset -g automatic-rename on\n' +
        "run-shell 'exit 1'\nset-hook -g after-split-window 'kill-pane'\nset -g @plugin 'x'\nif-shell true 'kill-server'\n",
    ],
    ['a mistake', 'set -g no-such-option 1\nset -g base-index 1\n'],
  ])('field report 09: spawn, capture, respawn, add and kill work with a tmux.conf of %s', async (_what, conf) => {
    const server = scratch();
    writeFileSync(join(server.folder, '.tmux.conf'), conf);
    const identity = await start(server);
    const tmux = spawnTmux(server.socket);
    const town = await buildTown(tmux, await place(), {
      control: spec('control'),
      deacon: spec('deacon'),
      agents: [spec('polecat-a')],
    });
    const [agent] = town.agents;
    if (!agent || 'problem' in agent) throw new Error(JSON.stringify(agent));
    await until('its screen', async () => {
      const [capture] = await capturePanes(tmux, [agent.pane_id]);
      return capture?.kind === 'ok' && capture.screen.lines.includes('I am here');
    });
    const again = await respawnPane(tmux, agent.pane_id, spec('polecat-a'));
    expect(again.pid).not.toBe(agent.pid);
    const more = await addAgentPane(tmux, await place(), spec('polecat-b'));
    expect(more.pane_id).not.toBe(agent.pane_id);
    expect(await stopServer(tmux, identity)).toEqual([]);
    expect((await probeProcess(again.pid)).answer).toBe('no');
  });

  it('is idempotent; only its own settings, none of an agent, become the environment of panes', async () => {
    const server = scratch();
    const first = await start(server, {
      GT_AGENT_ID: 'polecat-x',
      CLAUDECODE: '1',
      NODE_OPTIONS: '--inspect',
      KEPT: 'yes',
    });
    expect(await start(server)).toEqual(first);
    const environment = server.tmux('show-environment', '-g');
    expect(environment).toContain('KEPT=yes');
    expect(environment).not.toMatch(/^(GT_|CLAUDECODE|NODE_OPTIONS|TMUX=)/m);
    expect(server.tmux('show-options', '-gv', 'history-limit').trim()).toBe('50000');
    expect(server.tmux('show-options', '-sv', 'exit-empty').trim()).toBe('off');
  });

  it("says what of the user's tmux.conf was left out, and keeps the rest of the user's look", async () => {
    const server = scratch();
    writeFileSync(
      join(server.folder, '.tmux.conf'),
      'set -g no-such-option 1\nset -g prefix C-a\nbind \\\n x kill-pane\n',
    );
    const { warnings } = await start(server);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('no-such-option');
    expect(server.tmux('show-options', '-gv', 'prefix').trim()).toBe('C-a');
  });

  it('field report 14: on a shared server nothing global changes, and the end of the town leaves the rest alone', async () => {
    const server = startPrivateTmux();
    servers.push(server);
    server.tmux('new-session', '-d', '-s', 'work', 'sh', '-c', 'exec cat');
    const look = () => [
      server.tmux('list-panes', '-t', '=work:', '-F', '#{pane_id} #{pane_pid}'),
      server.tmux('show-options', '-g'),
      server.tmux('show-options', '-wg'),
      server.tmux('list-keys', '-T', 'root'),
    ];
    const before = look();
    const own = sessionNames('abcdef123456');
    await startServer({
      socket: server.socket,
      anchor: own.anchor,
      shared: true,
      env: { ...process.env, HOME: server.folder },
    });
    const tmux = spawnTmux(server.socket);
    await buildTown(
      tmux,
      { ...(await place()), names: own, shared: true },
      { control: spec('control'), deacon: spec('deacon'), agents: [spec('polecat-a')] },
    );
    await endSession(tmux, own);
    expect(look()).toEqual(before);
    expect(server.tmux('list-sessions', '-F', '#{session_name}').split('\n').filter(Boolean).sort()).toEqual([
      'anchor',
      'work',
    ]);
  });

  it('field report 11: panes are found by id and label whatever their window and title are called', async () => {
    const server = scratch();
    await start(server);
    const tmux = spawnTmux(server.socket);
    const town = await buildTown(tmux, await place(), {
      control: spec('control'),
      deacon: spec('deacon'),
      agents: [spec('polecat-a')],
    });
    server.tmux('rename-window', '-t', town.control.window_id, 'odd: na.me \ue0f1\ue0f2 %1');
    server.tmux('select-pane', '-t', town.control.pane_id, '-T', 'title \ue0f1\ue0f2 #{x} @1');
    const listed = await listPanes(tmux);
    if (listed.kind !== 'ok') throw new Error(listed.why);
    const control = listed.panes.find((pane) => pane.label === 'control');
    expect(control).toMatchObject({ pane_id: town.control.pane_id, pid: town.control.pid, active: true });
    expect(listed.panes.find((pane) => pane.label === 'polecat-a')?.window_name).toContain('odd');
  });
});

describe('probeServer', () => {
  it('ok, gone and unknown are three answers, by pid, start time and an answer of its own', async () => {
    const server = scratch();
    const identity = await start(server);
    const tmux = spawnTmux(server.socket, { timeoutMs: 500 });
    expect(await identifyServer(tmux)).toEqual({ pid: identity.pid, started: identity.started });
    expect(await probeServer(tmux, identity)).toBe('ok');
    expect(await probeServer(tmux, { pid: identity.pid, started: 'another' })).toBe('gone');
    process.kill(identity.pid, 'SIGSTOP');
    expect(await probeServer(tmux, identity)).toBe('unknown');
    process.kill(identity.pid, 'SIGCONT');
    process.kill(identity.pid, 'SIGKILL');
    await until('gone', async () => (await probeServer(tmux, identity)) === 'gone');
  });
});

describe('stopServer', () => {
  it('ends the server and every program of its panes, with control clients attached and programs that ignore hang-ups', async () => {
    const server = scratch();
    const identity = await start(server);
    const [mine, other] = [await connectControl(server.socket), await connectControl(server.socket)];
    const stubborn = { ...spec('polecat-a'), argv: ['sh', '-c', 'trap "" HUP TERM; while :; do sleep 0.1; done'] };
    const flood = { ...spec('polecat-b'), argv: ['sh', '-c', 'while :; do echo flood; done'] };
    const town = await buildTown(mine, await place(), {
      control: spec('control'),
      deacon: spec('deacon'),
      agents: [stubborn, flood],
    });
    expect(await stopServer(mine, identity)).toEqual([]);
    for (const pane of [...town.agents, town.control, town.deacon]) {
      if ('pid' in pane) expect((await probeProcess(pane.pid)).answer).toBe('no');
    }
    expect((await probeProcess(identity.pid)).answer).toBe('no');
    await other.close();
  });

  it('a lost server is reported at once, a new one is found again', async () => {
    const server = scratch();
    const identity = await start(server);
    const seen: string[] = [];
    const tmux = await connectControl(server.socket, {
      onDown: (how) => seen.push(how.kind),
      onUp: () => seen.push('up'),
    });
    process.kill(identity.pid, 'SIGKILL');
    await until('the loss', () => seen.length > 0);
    expect(seen).toEqual(['gone']);
    await start(server);
    await until('the new server', async () => (await tmux.run(['list-sessions'])).kind === 'ok');
    expect(seen.at(-1)).toBe('up');
    await tmux.close();
  });

  it('trap: the connection survives the end of every session but the anchor, and a failing hook', async () => {
    const server = scratch();
    await start(server);
    const tmux = await connectControl(server.socket);
    await tmux.run(['new-session', '-d', '-s', 'other', 'sh', '-c', 'exec cat']);
    server.tmux('set-hook', '-g', 'window-renamed', 'select-window -t nowhere');
    server.tmux('rename-window', '-t', '=anchor:', 'again');
    await tmux.run(['kill-session', '-t', '=other']);
    expect(await tmux.run(['list-sessions', '-F', '#{session_name}'])).toEqual({ kind: 'ok', lines: ['anchor'] });
    await tmux.close();
  });
});

describe('small parts', () => {
  it('versions: 3.2 and newer, development builds too', () => {
    expect(['3.2', '3.3a', '3.7b', 'next-3.6', 'openbsd-7.5', '4.0'].map(isRecent)).toEqual(Array(6).fill(true));
    expect(['2.9', '3.0a', '3.1c', '1.8'].map(isRecent)).toEqual(Array(4).fill(false));
  });

  it('of a tmux.conf only settings and keys are taken', () => {
    expect(
      settingsOf(
        'set -g mouse on\n# x\nrun tpm\n  bind r source-file x\nset -g @plugin y\nif-shell a {\n set -g a b\n}\nsetw -g mode-keys \\\n vi\n',
      ),
    ).toBe('set -g mouse on\nbind r source-file x\nset -g a b\nsetw -g mode-keys   vi');
  });
});
