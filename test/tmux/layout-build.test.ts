import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { sessionNames } from '../../src/tmux/anchor.ts';
import { peekPane } from '../../src/tmux/capture.ts';
import { connectControl } from '../../src/tmux/control-client.ts';
import type { Tmux } from '../../src/tmux/driver.ts';
import { addAgentPane } from '../../src/tmux/layout-add.ts';
import { buildTown, type Place } from '../../src/tmux/layout-build.ts';
import { loadLayout } from '../../src/tmux/layout-file.ts';
import { type PaneSpec, respawnPane } from '../../src/tmux/pane-start.ts';
import { listPanes } from '../../src/tmux/panes.ts';
import { startServer } from '../../src/tmux/server.ts';
import { spawnTmux } from '../../src/tmux/spawn-client.ts';
import { type PrivateTmux, privateTmux, until } from '../support/private-tmux.ts';

const shipped = new URL('../../layouts', import.meta.url).pathname;
const names = sessionNames(null);
const spec = (label: string, extra: Partial<PaneSpec> = {}): PaneSpec => ({
  label,
  cwd: '/',
  argv: ['sh', '-c', 'exec cat'],
  env: {},
  ...extra,
});
const agents = (count: number): PaneSpec[] => Array.from({ length: count }, (_, index) => spec(`polecat-${index + 1}`));

let server: PrivateTmux;
let tmux: Tmux;
afterEach(async () => {
  await tmux.close();
  server.stop();
});

async function start(client: 'spawned' | 'control' = 'spawned'): Promise<void> {
  server = privateTmux();
  await startServer({
    socket: server.socket,
    anchor: names.anchor,
    shared: false,
    env: { ...process.env, HOME: server.folder },
  });
  tmux = client === 'spawned' ? spawnTmux(server.socket) : await connectControl(server.socket);
}

const place = async (layout: string, width: number, height: number): Promise<Place> => ({
  names,
  layout: await loadLayout(layout, [shipped]),
  size: { width, height },
  shared: false,
  title: 'a #town',
});

const panesOf = async (label: string) => {
  const listed = await listPanes(tmux);
  return listed.kind === 'ok' ? listed.panes.filter((pane) => pane.label === label) : [];
};

describe('buildTown', () => {
  it.each([
    ['default', 200, 50],
    ['stacked', 80, 23],
    ['swarm', 200, 50],
    ['wide', 20, 5],
    ['windows', 80, 23],
  ] as const)(
    'field report 16: 40 agents come up in layout %s at %ix%i, none below the minimum where the screen has it',
    async (name, width, height) => {
      await start('control');
      const where = await place(name, width, height);
      const town = await buildTown(tmux, where, {
        control: spec('control'),
        deacon: spec('deacon'),
        agents: agents(40),
      });
      expect(town.agents.filter((agent) => 'problem' in agent)).toEqual([]);
      const listed = await listPanes(tmux);
      const panes = listed.kind === 'ok' ? listed.panes.filter((pane) => pane.session === names.town) : [];
      expect(panes.filter((pane) => pane.label.startsWith('polecat') && !pane.dead && pane.pid > 0)).toHaveLength(40);
      for (const pane of panes.filter((each) => each.label.startsWith('polecat'))) {
        expect(pane.width).toBeGreaterThanOrEqual(Math.min(where.layout.agents.min_width, width));
        expect(pane.height).toBeGreaterThanOrEqual(Math.min(where.layout.agents.min_height, height - 1));
      }
      expect(panes.find((pane) => pane.label === 'control')?.active).toBe(true);
      expect(server.tmux('show-options', '-wv', '-t', '=town:', 'window-size').trim()).toBe('latest');
    },
  );

  it('an existing session is not built over (exit 3); an agent of an ended session gets a new one', async () => {
    await start();
    const where = await place('default', 200, 50);
    const specs = { control: spec('control'), deacon: spec('deacon'), agents: agents(1) };
    const town = await buildTown(tmux, where, specs);
    await expect(buildTown(tmux, where, specs)).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining('runs already'),
    });
    expect((await panesOf('control'))[0]?.pid).toBe(town.control.pid);
    server.tmux('kill-session', '-t', '=town');
    const pane = await addAgentPane(tmux, where, spec('polecat-1'));
    expect((await panesOf('polecat-1'))[0]).toMatchObject({ pane_id: pane.pane_id, session: 'town' });
  });

  it('the control pane keeps its width through resizes by tmux alone, its neighbours stay even', async () => {
    await start();
    const town = await buildTown(tmux, await place('default', 200, 50), {
      control: spec('control'),
      deacon: spec('deacon'),
      agents: agents(2),
    });
    const widths = async () =>
      (await panesOf('control'))
        .concat(await panesOf('polecat-1'), await panesOf('polecat-2'))
        .map((pane) => pane.width);
    expect((await widths())[0]).toBe(72);
    for (const [width, height] of [
      [280, 60],
      [180, 40],
      [220, 50],
    ] as const) {
      server.tmux('resize-window', '-t', town.control.window_id, '-x', String(width), '-y', String(height));
      await until('the hook', async () => {
        const [control = 0, one = 0, two = 0] = await widths();
        return control === 72 && Math.abs(one - two) <= 1;
      });
    }
  });

  it('passes argv and environment without a shell, in the folder asked for', async () => {
    await start();
    const hostile = `a;b $HOME #{pid} 'q' "d" \\ é\nline;`;
    const odd = spec('polecat-1', {
      cwd: server.folder,
      env: { GT_AGENT_ID: 'polecat-1', ODD: hostile },
      argv: [
        'node',
        '-e',
        'require("fs").writeFileSync("seen.json", JSON.stringify([process.argv.slice(1), process.env.ODD, process.cwd()])); process.stdin.resume()',
        '--',
        hostile,
        ';',
        '',
      ],
    });
    await buildTown(tmux, await place('default', 200, 50), {
      control: spec('control'),
      deacon: spec('deacon'),
      agents: [odd],
    });
    await until(
      'the program',
      () =>
        existsSync(`${server.folder}/seen.json`) && readFileSync(`${server.folder}/seen.json`, 'utf8').endsWith(']'),
    );
    const seen = JSON.parse(readFileSync(`${server.folder}/seen.json`, 'utf8')) as unknown[];
    expect(seen).toEqual([[hostile, ';', ''], hostile, server.folder]);
  });

  it('field report 16: a pane that cannot be made names its agent, the others run', async () => {
    await start();
    const [first, second] = agents(2);
    if (!first || !second) throw new Error('two agents');
    const town = await buildTown(tmux, await place('default', 200, 50), {
      control: spec('control'),
      deacon: spec('deacon'),
      agents: [{ ...first, cwd: '/no/such/folder' }, second],
    });
    expect(town.agents[0]).toEqual({ problem: 'there is no folder /no/such/folder' });
    expect(town.agents[1]).toHaveProperty('pane_id');
  });

  it('an agent added later finds a place; a restart keeps it', async () => {
    await start('control');
    const where = await place('default', 200, 50);
    await buildTown(tmux, where, { control: spec('control'), deacon: spec('deacon'), agents: agents(3) });
    for (const extra of agents(9).slice(3)) await addAgentPane(tmux, where, extra);
    const listed = await listPanes(tmux);
    const panes = listed.kind === 'ok' ? listed.panes.filter((pane) => pane.label.startsWith('polecat')) : [];
    expect(panes).toHaveLength(9);
    for (const pane of panes) expect([pane.width >= 46, pane.height >= 12]).toEqual([true, true]);
    expect((await panesOf('control'))[0]?.width).toBe(72);
    const [before] = await panesOf('polecat-2');
    const after = await respawnPane(tmux, before?.pane_id ?? '', spec('polecat-2'));
    expect(after.pane_id).toBe(before?.pane_id);
    expect(after.pid).not.toBe(before?.pid);
    const again = await addAgentPane(tmux, where, spec('polecat-2'));
    expect(again.pane_id).toBe(before?.pane_id);
  });

  it('a program that ends at once leaves its pane, its place and its last words', async () => {
    await start();
    const dying = spec('polecat-1', { argv: ['sh', '-c', 'echo last words; exit 7'] });
    const town = await buildTown(tmux, await place('default', 200, 50), {
      control: spec('control'),
      deacon: spec('deacon'),
      agents: [dying],
    });
    expect(town.agents[0]).toHaveProperty('pane_id');
    const pane = await until('its end', async () => (await panesOf('polecat-1')).find((each) => each.dead));
    const peeked = await peekPane(tmux, pane.pane_id, 100);
    expect(peeked.kind === 'ok' && peeked.lines.join('\n')).toContain('last words');
  });
});
