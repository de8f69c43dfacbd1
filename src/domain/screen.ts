/** Reading one pane's screen: pure, over text that was captured. `unknown` is an answer of its own. */
import type { ScreenMarks } from './runtime.ts';

export interface Screen {
  /** Visible text, one string a line, without escapes, right-trimmed. */
  lines: readonly string[];
  /** The same lines with their SGR escapes, so that dim ghost text can be told from a draft. */
  styled: readonly string[];
  title: string;
  /** Cursor row and column within the pane, from 0. */
  cursor: { x: number; y: number };
}

export type ScreenReading =
  | { kind: 'dialog'; dialog: string; hint: string }
  | { kind: 'limited'; until: number | null; line: string }
  /** Works; `draft` is what stands in the composer meanwhile. */
  | { kind: 'busy'; draft: string }
  | { kind: 'ready'; draft: string }
  | { kind: 'unknown' };

export type ReadScreen = (screen: Screen, marks: ScreenMarks, now: number) => ScreenReading;
