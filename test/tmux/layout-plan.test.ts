import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Layout } from '../../src/domain/layout.ts';
import { layoutNames, loadLayout, parseLayout } from '../../src/tmux/layout-file.ts';
import { type Cell, planWindow, planWindows } from '../../src/tmux/layout-plan.ts';
import { layoutString, leavesOf } from '../../src/tmux/layout-string.ts';

const shipped = new URL('../../layouts', import.meta.url).pathname;

const layouts = fc.record({
  name: fc.constant('any'),
  description: fc.constant(''),
  control: fc.record({
    side: fc.constantFrom('left', 'right', 'top', 'bottom', 'none'),
    size: fc.integer({ min: 3, max: 120 }),
  }),
  agents: fc.record({
    arrange: fc.constantFrom('grid', 'columns', 'rows', 'windows'),
    min_width: fc.integer({ min: 10, max: 80 }),
    min_height: fc.integer({ min: 3, max: 30 }),
    per_window: fc.option(fc.integer({ min: 1, max: 20 })),
  }),
}) satisfies fc.Arbitrary<Layout>;
const sizes = fc.record({ width: fc.integer({ min: 10, max: 300 }), height: fc.integer({ min: 4, max: 100 }) });

/** Children plus the lines between them fill their parent exactly, and kinds alternate. */
function checkSums(cell: Cell): void {
  expect(Math.min(cell.width, cell.height)).toBeGreaterThan(0);
  if (cell.kind === 'pane') return;
  expect(cell.cells.length).toBeGreaterThan(1);
  const along = cell.kind === 'row' ? 'width' : 'height';
  const across = cell.kind === 'row' ? 'height' : 'width';
  expect(cell.cells.reduce((sum, each) => sum + each[along] + 1, -1)).toBe(cell[along]);
  for (const each of cell.cells) {
    expect(each[across]).toBe(cell[across]);
    expect(each.kind).not.toBe(cell.kind);
    checkSums(each);
  }
}

const panesOf = (cell: Cell): Cell[] => (cell.kind === 'pane' ? [cell] : cell.cells.flatMap(panesOf));

describe('layout plan', () => {
  it('field report 16: every agent has a place on any screen, none below the minimum where it shares a window', () => {
    fc.assert(
      fc.property(layouts, sizes, fc.integer({ min: 0, max: 60 }), (layout, size, count) => {
        const windows = planWindows(layout, size, count);
        expect(windows.reduce((sum, window) => sum + window.agents, 0)).toBe(count);
        expect(windows.map((window) => window.hasControl)).toEqual(windows.map((_, index) => index === 0));
        for (const window of windows) {
          const root = planWindow(layout, size, window);
          expect([root.width, root.height]).toEqual([size.width, size.height]);
          checkSums(root);
          const leaves = leavesOf(root);
          expect(leaves.filter((leaf) => leaf !== 'control')).toEqual([...Array(window.agents).keys()]);
          expect(leaves.includes('control')).toBe(window.hasControl);
          if (leaves.length === 1) continue;
          for (const pane of panesOf(root)) {
            if (pane.kind !== 'pane' || pane.pane === 'control') continue;
            expect(pane.width).toBeGreaterThanOrEqual(layout.agents.min_width);
            expect(pane.height).toBeGreaterThanOrEqual(layout.agents.min_height);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('writes the text that tmux itself writes, checksum included', () => {
    const row: Cell = {
      kind: 'row',
      width: 80,
      height: 24,
      cells: [
        { kind: 'pane', pane: 'control', width: 40, height: 24 },
        {
          kind: 'column',
          width: 39,
          height: 24,
          cells: [
            { kind: 'pane', pane: 0, width: 39, height: 12 },
            { kind: 'pane', pane: 1, width: 39, height: 11 },
          ],
        },
      ],
    };
    expect(layoutString(row, ['%0', '%1', '%2'])).toBe(
      'd67e,80x24,0,0{40x24,0,0,0,39x24,41,0[39x12,41,0,1,39x11,41,13,2]}',
    );
  });
});

describe('layout files', () => {
  it('ships five layouts that all hold', async () => {
    const names = layoutNames([shipped]);
    expect(names).toEqual(['default', 'stacked', 'swarm', 'wide', 'windows']);
    for (const name of names) expect((await loadLayout(name, [shipped])).name).toBe(name);
  });

  it('names file, line and key of a mistake, and the layouts there are (exit 1)', async () => {
    const text =
      'name: mine\ndescription: d\ncontrol: {side: left, size: 40}\nagents:\n  arange: grid\n  min_width: 30\n  min_height: 8\n  per_window: null\n';
    await expect(parseLayout(text, 'layouts/mine.yaml')).rejects.toMatchObject({
      exit: 1,
      message: expect.stringMatching(/layouts\/mine\.yaml:5.*arange|layouts\/mine\.yaml:[45]/),
    });
    await expect(parseLayout('- a\n', 'x.yaml')).rejects.toMatchObject({ exit: 1 });
    await expect(loadLayout('defualt', [shipped])).rejects.toMatchObject({
      exit: 1,
      next: expect.stringContaining('default'),
    });
    await expect(loadLayout('../secret', [shipped])).rejects.toMatchObject({ exit: 1 });
  });
});
