/** What building and adding share: where to build, how a window is made, and what its ids are. */
import { refused } from '../domain/errors.ts';
import type { Layout } from '../domain/layout.ts';
import { idle, type SessionNames } from './anchor.ts';
import { type Reply, replyProblem, type Tmux } from './driver.ts';
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

/** `agents-2`, `agents-3`, …; in a layout of windows the agent's own name; for panes of the town its own, too. */
export const windowName = (layout: Layout, position: number, label: string | undefined): string =>
  label !== undefined && (layout.agents.arrange === 'windows' || label === 'control' || label === 'deacon')
    ? label
    : `agents-${position}`;

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

/** The session, with one window and an idle pane in it. Throws exit 3 where there is one already. */
export async function makeSession(tmux: Tmux, { names, size, title, shared }: Omit<Place, 'layout'>): Promise<Ids> {
  const made = await tmux.run([
    ...['new-session', '-d', '-P', '-F', idFormat, '-s', names.town, '-n', 'town', '-c', '/'],
    ...['-x', String(Math.max(10, size.width)), '-y', String(Math.max(3, size.height)), ...idle],
  ]);
  if (made.kind === 'error' && made.message.startsWith('duplicate session')) {
    const server = `tmux -S ${tmux.socket}`;
    throw refused(
      `a session "${names.town}" runs already at ${tmux.socket}`,
      `look: ${server} attach; end it: ${server} kill-session -t =${names.town}`,
    );
  }
  const ids = parseIds(required(made, `the session "${names.town}" could not be made`));
  const set = (name: string, value: string): string[] => ['set-option', '-t', ids.session_id, name, value];
  await tmux.runAll([
    set('status', 'on'),
    // Nothing in the status line changes by itself: an idle town writes nothing.
    set('status-interval', '0'),
    set('status-left', ` ${title.replaceAll('#', '##')}  `),
    set('status-left-length', '40'),
    set('status-right', shared ? '' : ' M-0 control · M-1…9 agents '),
    set('status-right-length', '40'),
    set('detach-on-destroy', 'on'),
  ]);
  return ids;
}
