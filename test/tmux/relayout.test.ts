import { afterEach, describe, expect, it } from 'vitest';
import { sessionNames } from '../../src/tmux/anchor.ts';
import { connectControl } from '../../src/tmux/control-client.ts';
import type { Tmux } from '../../src/tmux/driver.ts';
import { buildTown, type PaneSpec } from '../../src/tmux/layout-build.ts';
import { loadLayout } from '../../src/tmux/layout-file.ts';
import { listPanes } from '../../src/tmux/panes.ts';
import { relayout, relayoutForAttach } from '../../src/tmux/relayout.ts';
import { startServer } from '../../src/tmux/server.ts';
import { type PrivateTmux, privateTmux } from '../support/private-tmux.ts';

const names = sessionNames(null);
const spec = (label: string): PaneSpec => ({ label, cwd: '/', argv: ['sh', '-c', 'exec cat'], env: {} });

let server: PrivateTmux;
let tmux: Tmux;
afterEach(async () => {
  await tmux.close();
  server.stop();
});

describe('relayout', () => {
  it('field report 16: moves panes into more windows on a small screen and back on a large one; programs go on', async () => {
    server = privateTmux();
    await startServer({
      socket: server.socket,
      anchor: names.anchor,
      shared: false,
      env: { ...process.env, HOME: server.folder },
    });
    tmux = await connectControl(server.socket);
    const layout = await loadLayout('default', [new URL('../../layouts', import.meta.url).pathname]);
    const place = { names, layout, shared: false, title: 'town', size: { width: 200, height: 50 } };
    const agents = Array.from({ length: 12 }, (_, index) => spec(`polecat-${index + 1}`));
    const labels = agents.map((agent) => agent.label);
    const town = await buildTown(tmux, place, { control: spec('control'), deacon: spec('deacon'), agents });
    const look = async () => {
      const listed = await listPanes(tmux);
      return listed.kind === 'ok' ? listed.panes.filter((pane) => pane.session === names.town) : [];
    };
    const before = await look();
    for (const size of [
      { width: 80, height: 23 },
      { width: 20, height: 5 },
      { width: 300, height: 80 },
      { width: 200, height: 50 },
    ]) {
      expect(await relayout(tmux, place, size, labels)).toBeNull();
      const panes = await look();
      expect(panes.map((pane) => pane.pid).sort()).toEqual(before.map((pane) => pane.pid).sort());
      for (const pane of panes.filter((each) => each.label.startsWith('polecat'))) {
        expect(pane.width).toBeGreaterThanOrEqual(Math.min(layout.agents.min_width, size.width));
        expect(pane.height).toBeGreaterThanOrEqual(Math.min(layout.agents.min_height, size.height - 1));
      }
    }
    const geometry = (panes: typeof before) =>
      panes
        .map((pane) => `${pane.label} ${pane.left},${pane.top} ${pane.width}x${pane.height} ${pane.window_name}`)
        .sort();
    expect(geometry(await look())).toEqual(geometry(before));
    // Whoever attaches next brings the size; who looks already keeps the view.
    expect(await relayoutForAttach(tmux, place, { width: 80, height: 23 }, labels)).toBeNull();
    expect(new Set((await look()).map((pane) => pane.window_id)).size).toBeGreaterThan(10);
    const before80 = geometry(await look());
    const viewer = await connectControl(server.socket, { anchor: names.town });
    expect(await relayoutForAttach(tmux, place, { width: 200, height: 50 }, labels)).toBeNull();
    expect(geometry(await look())).toEqual(before80);
    await viewer.close();
    server.tmux('split-window', '-d', '-t', town.control.pane_id, 'cat');
    expect(await relayout(tmux, place, { width: 80, height: 23 }, labels)).toContain('of their own');
  });
});
