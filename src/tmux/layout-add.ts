import { refused } from '../domain/errors.ts';
import type { PaneInfo } from '../domain/probe.ts';
import { arrangeWindow, bindAgentKeys, keepControlSize } from './arrange.ts';
import type { Tmux } from './driver.ts';
import { capacity, planWindow, type Size } from './layout-plan.ts';
import { type PaneSpec, respawnPane, type StartedPane } from './pane-start.ts';
import { listPanes } from './panes.ts';
import { windowOptions } from './window-options.ts';
import { makeSession, newWindow, type Place, parseIds, required, windowName } from './windows.ts';

/**
 * A pane for one more agent of a running town: the one it had before, else a free place in a window that is still as the
 * town laid it out, else a window of its own. Throws exit 3 when none can be made.
 */
export async function addAgentPane(
  tmux: Tmux,
  place: Omit<Place, 'size' | 'title'>,
  spec: PaneSpec,
): Promise<StartedPane> {
  const listed = await listPanes(tmux);
  if (listed.kind !== 'ok') throw refused(`no pane for ${spec.label}: ${listed.why}`, 'gastown doctor');
  const panes = listed.panes.filter((pane) => pane.session === place.names.town);
  const former = panes.find((pane) => pane.label === spec.label);
  const pane =
    former?.pane_id ?? (await splitInto(tmux, place, panes)) ?? (await inNewWindow(tmux, place, panes, spec));
  const started = await respawnPane(tmux, pane, spec);
  await bindFromPanes(tmux, place);
  return started;
}

/** A place in the first window that has room for one more, or null. */
async function splitInto(
  tmux: Tmux,
  { layout }: Pick<Place, 'layout'>,
  panes: readonly PaneInfo[],
): Promise<string | null> {
  for (const window of windowsOf(panes)) {
    const agents = window.panes.filter((pane) => pane.label !== 'control').length;
    const isOurs = window.panes.every((pane) => pane.label !== '' && pane.label !== 'deacon');
    if (!isOurs || agents >= capacity(layout, window.size, window.hasControl)) continue;
    const last = window.panes.filter((pane) => pane.label !== 'control').at(-1) ?? window.panes.at(-1);
    if (!last) continue;
    const direction = last.width >= last.height * 2 ? '-h' : '-v';
    const split = await tmux.run(['split-window', '-d', direction, '-t', last.pane_id, '-P', '-F', '#{pane_id}', '']);
    const made = split.kind === 'ok' ? split.lines[0] : undefined;
    if (made === undefined) continue;
    const order = await tmux.run(['list-panes', '-t', window.id, '-F', '#{pane_id}']);
    const cell = planWindow(layout, window.size, { hasControl: window.hasControl, agents: agents + 1 });
    if (order.kind === 'ok') {
      await arrangeWindow(tmux, window.id, cell, order.lines);
      if (window.hasControl) await keepControlSize(tmux, layout, window.id, cell, order.lines);
    }
    return made;
  }
  return null;
}

async function inNewWindow(
  tmux: Tmux,
  { names, layout, shared }: Pick<Place, 'names' | 'layout' | 'shared'>,
  panes: readonly PaneInfo[],
  spec: PaneSpec,
): Promise<string> {
  // Somebody may have ended the town's session while its server lives.
  if (panes.length === 0) {
    const session = await makeSession(tmux, { names, shared, size: { width: 200, height: 50 }, title: names.town });
    await tmux.runAll(windowOptions(session.window_id));
    return session.pane_id;
  }
  const taken = new Set(panes.map((pane) => pane.window_name));
  let position = 2;
  while (taken.has(`agents-${position}`)) position += 1;
  const session = required(
    await tmux.run(['list-sessions', '-F', '#{session_id}', '-f', `#{==:#{session_name},${names.town}}`]),
    'no session',
  );
  const made = await tmux.run(newWindow(session[0] ?? '', windowName(layout, position, spec.label)));
  const ids = parseIds(required(made, `no window for ${spec.label}`));
  await tmux.runAll(windowOptions(ids.window_id));
  return ids.pane_id;
}

async function bindFromPanes(tmux: Tmux, { names, shared }: Pick<Place, 'names' | 'shared'>): Promise<void> {
  const listed = await listPanes(tmux);
  if (shared || listed.kind !== 'ok') return;
  const panes = listed.panes.filter((pane) => pane.session === names.town);
  const control = panes.find((pane) => pane.label === 'control');
  const agents = panes.filter((pane) => !['', 'control', 'deacon'].includes(pane.label));
  if (control)
    await bindAgentKeys(
      tmux,
      control.pane_id,
      agents.map((pane) => pane.pane_id),
    );
}

export interface TownWindow {
  id: string;
  size: Size;
  hasControl: boolean;
  panes: PaneInfo[];
}

/** The session's windows in order, each with its panes in order. */
export function windowsOf(panes: readonly PaneInfo[]): TownWindow[] {
  const byId = new Map<string, PaneInfo[]>();
  for (const pane of panes) byId.set(pane.window_id, [...(byId.get(pane.window_id) ?? []), pane]);
  return [...byId].map(([id, members]) => ({
    id,
    panes: members,
    hasControl: members.some((pane) => pane.label === 'control'),
    size: {
      width: Math.max(...members.map((pane) => pane.left + pane.width)),
      height: Math.max(...members.map((pane) => pane.top + pane.height)),
    },
  }));
}
