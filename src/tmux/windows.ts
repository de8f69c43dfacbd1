/** What building and adding share: where to build, how a window is made, and what its ids are. */
import { refused } from '../domain/errors.ts';
import type { Layout } from '../domain/layout.ts';
import { idle, type SessionNames } from './anchor.ts';
import { type Reply, replyProblem } from './driver.ts';
import type { Size } from './layout-plan.ts';

/** Where panes are to be made. `size` is the window's: the terminal without tmux's status line. */
export interface Place {
  names: SessionNames;
  layout: Layout;
  size: Size;
  /** True on the user's own server: its keys are left alone. */
  shared: boolean;
  /** Shown in the status line. */
  title: string;
}

/** `agents-2`, `agents-3`, …; in a layout of windows the agent's own name. */
export const windowName = (layout: Layout, position: number, label: string | undefined): string =>
  layout.agents.arrange === 'windows' && label !== undefined ? label : `agents-${position}`;

export const newWindow = (sessionId: string, name: string): string[] => [
  ...['new-window', '-d', '-P', '-F', idFormat, '-t', `${sessionId}:`, '-n', name, '-c', '/'],
  ...idle,
];

export const idFormat = '#{session_id} #{window_id} #{pane_id}';

export interface Ids {
  session_id: string;
  window_id: string;
  pane_id: string;
}

export function parseIds(lines: readonly string[]): Ids {
  const [session_id = '', window_id = '', pane_id = ''] = (lines[0] ?? '').split(' ');
  return { session_id, window_id, pane_id };
}

/** The lines of an answer that must be `ok`; exit 3 otherwise. */
export function required(reply: Reply | undefined, what: string): string[] {
  if (reply?.kind === 'ok') return reply.lines;
  throw refused(`${what}: ${reply ? replyProblem(reply) : 'tmux did not answer'}`, 'gastown doctor');
}
