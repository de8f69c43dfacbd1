/** The control pane without a terminal: keys in, frames and recorded calls out. */
import type { TownView } from '../../../src/domain/view.ts';
import { createPane } from '../../../src/tui/pane.ts';
import type { Key, KeyName } from '../../../src/tui/terminal/keys.ts';
import { readLook } from '../../../src/tui/terminal/look.ts';
import type { Drawing } from '../../../src/tui/view-model/drawing.ts';
import type { Frame } from '../../../src/tui/view-model/frame.ts';
import { busyView, type FakeFeed, fakeFeed, fakeNow, type RecordedActions, recordActions } from './fake-town.ts';

export interface OpenPaneOptions {
  view?: TownView;
  columns?: number;
  rows?: number;
  env?: NodeJS.ProcessEnv;
  actions?: RecordedActions;
}

export interface OpenPane {
  feed: FakeFeed;
  actions: RecordedActions;
  size: { columns: number; rows: number };
  /** Presses keys: `s`, `enter`, `escape`, `space`, or text typed letter by letter. */
  press(...keys: string[]): void;
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  lines(): string[];
  text(): string;
  frame(): Frame;
  drawing(): Drawing;
  frames(): number;
  isDown(): boolean;
  /** Lets answered actions arrive. */
  settle(): Promise<void>;
  /** Moves the clock. */
  pass(ms: number): void;
  close(): void;
}

const names: ReadonlySet<string> = new Set<KeyName>([
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'pageup',
  'pagedown',
  'enter',
  'tab',
  'backtab',
  'backspace',
  'delete',
  'escape',
]);

const isKeyName = (text: string): text is KeyName => names.has(text) || text.startsWith('ctrl-');

export const toKeys = (text: string): Key[] => {
  if (text === 'space') return [{ kind: 'text', text: ' ' }];
  if (isKeyName(text)) return [{ kind: 'key', name: text }];
  return Array.from(text, (letter): Key => ({ kind: 'text', text: letter }));
};

export const plain = (line: string): string => line.replace(/\u001b\[[0-9;]*m/g, '');

export function openPane({
  view = busyView(),
  columns = 100,
  rows = 30,
  env = {},
  actions = recordActions(),
}: OpenPaneOptions = {}): OpenPane {
  const feed = fakeFeed(view);
  const size = { columns, rows };
  let now = fakeNow;
  let last: { frame: Frame; drawing: Drawing } | null = null;
  let count = 0;
  let down = false;
  const pane = createPane({
    feed,
    actions,
    look: readLook(env),
    size: () => size,
    now: () => now,
    show(frame, drawing) {
      last = { frame, drawing };
      count += 1;
    },
    onDown: () => {
      down = true;
    },
  });
  const shown = (): { frame: Frame; drawing: Drawing } => {
    if (last === null) throw new Error('nothing was drawn');
    return last;
  };
  const lines = (): string[] => shown().frame.sections.flatMap((section) => section.lines);
  return {
    feed,
    actions,
    size,
    press: (...keys) => pane.press(keys.flatMap(toKeys)),
    paste: (text) => pane.press([{ kind: 'paste', text }]),
    resize(nextColumns, nextRows) {
      size.columns = nextColumns;
      size.rows = nextRows;
      pane.resized();
    },
    lines,
    text: () => lines().map(plain).join('\n'),
    frame: () => shown().frame,
    drawing: () => shown().drawing,
    frames: () => count,
    isDown: () => down,
    async settle() {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      now += 1000;
      pane.resized();
    },
    pass(ms) {
      now += ms;
    },
    close: pane.close,
  };
}
