import fc from 'fast-check';
import { render } from 'ink-testing-library';
import { describe, expect, it } from 'vitest';
import { FrameView } from '../../src/tui/terminal/ink-frame.tsx';
import { rowText, toWidth } from '../../src/tui/text/width.ts';
import { busyView } from './support/fake-town.ts';
import { openPane } from './support/open-pane.ts';

const composed = (sections: { id: string; lines: readonly string[] }[], columns: number): string[] => {
  const app = render(<FrameView sections={sections} columns={columns} />);
  const frame = app.lastFrame() ?? '';
  app.unmount();
  return frame.split('\n');
};

describe('what Ink makes of a frame', () => {
  it.each([
    [40, 12],
    [80, 24],
    [100, 40],
    [100, 60],
  ])('is the frame, line for line, at %d by %d', (columns, rows) => {
    for (const keys of [[], ['?'], [':'], ['b'], ['n', 'text'], ['p']]) {
      const pane = openPane({ view: busyView(), columns, rows, env: { NO_COLOR: '1' } });
      pane.press(...keys);
      expect(composed([...pane.frame().sections], columns)).toEqual(pane.lines().map((line) => line.trimEnd()));
      pane.close();
    }
  });

  it('keeps any line of row text as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }), (texts) => {
        const lines = texts.map((text) => `|${toWidth(rowText(text), 30, '…')}|`);
        expect(composed([{ id: 'a', lines }], 60)).toEqual(lines);
      }),
      { numRuns: 40 },
    );
  });
});
