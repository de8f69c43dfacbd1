import type { PaneInfo } from '../domain/probe.ts';
import { arrangeWindow, keepControlSize } from './arrange.ts';
import { replyProblem, type Tmux } from './driver.ts';
import { windowsOf } from './layout-add.ts';
import { planWindow, planWindows, type Size, type WindowPlan } from './layout-plan.ts';
import { leavesOf } from './layout-string.ts';
import { listPanes } from './panes.ts';
import { windowOptions } from './window-options.ts';
import { type Place, parseIds, windowName } from './windows.ts';

/**
 * Lays the town's panes out again for another size of screen: into more windows where they would fall below the layout's
 * minimum, into fewer where there is room. Programs go on in their panes. Windows in which somebody opened panes of their
 * own are reason to leave all as it is. `labels`: the agents in their order. Answers why nothing or not everything was done; null when all is in its place.
 */
export async function relayout(
  tmux: Tmux,
  place: Pick<Place, 'names' | 'layout'>,
  size: Size,
  labels: readonly string[],
): Promise<string | null> {
  const listed = await listPanes(tmux);
  if (listed.kind !== 'ok') return listed.why;
  const panes = listed.panes.filter((pane) => pane.session === place.names.town);
  const control = panes.find((pane) => pane.label === 'control');
  if (!control) return 'the control pane is missing';
  const ours = windowsOf(panes).filter((window) => window.panes.some((pane) => isAgent(pane) || pane === control));
  if (ours.some((window) => window.panes.some((pane) => pane !== control && !isAgent(pane)))) {
    return 'somebody opened panes of their own beside those of the town';
  }
  const rank = (pane: PaneInfo): number => (labels.includes(pane.label) ? labels.indexOf(pane.label) : labels.length);
  const agents = panes.filter(isAgent).sort((a, b) => rank(a) - rank(b));
  let next = 0;
  const problems: (string | null)[] = [];
  const windows = new Map(panes.map((pane) => [pane.pane_id, pane.window_id]));
  const plans = planWindows(place.layout, size, agents.length);
  const placed: { plan: WindowPlan; window: string; members: string[] }[] = [];
  for (const [index, plan] of plans.entries()) {
    const slice = agents.slice(next, next + plan.agents);
    next += plan.agents;
    const members = [...(plan.hasControl ? [control] : []), ...slice].map((pane) => pane.pane_id);
    const taken = placed.map((each) => each.window);
    const name = plan.hasControl ? 'town' : windowName(place.layout, index + 1, slice[0]?.label);
    const window = await gather(tmux, `=${place.names.town}:`, members, windows, taken, name);
    problems.push(window.problem);
    placed.push({ plan, window: window.id, members });
  }
  for (const { plan, window, members } of placed) problems.push(await order(tmux, place, size, plan, window, members));
  return problems.find((problem) => problem !== null) ?? null;
}

/**
 * `relayout` for an operator who is about to attach: only where the window has another size, and where nobody looks at
 * the town already, for whom panes would jump.
 */
export async function relayoutForAttach(
  tmux: Tmux,
  place: Pick<Place, 'names' | 'layout'>,
  size: Size,
  labels: readonly string[],
): Promise<string | null> {
  const [clients, shown] = await tmux.runAll([
    ['list-clients', '-t', `=${place.names.town}`, '-F', '#{client_name}'],
    ['list-windows', '-t', `=${place.names.town}`, '-F', '#{window_width} #{window_height}'],
  ]);
  if (clients?.kind !== 'ok' || shown?.kind !== 'ok') return 'the session cannot be read';
  if (clients.lines.length > 0 || shown.lines[0] === `${size.width} ${size.height}`) return null;
  return relayout(tmux, place, size, labels);
}

const isAgent = (pane: PaneInfo): boolean => pane.label !== '' && pane.label !== 'control' && pane.label !== 'deacon';

/** Brings panes together in the first one's window, or in a new one where that window is another group's already. */
async function gather(
  tmux: Tmux,
  session: string,
  members: readonly string[],
  windows: Map<string, string>,
  taken: readonly string[],
  name: string,
): Promise<{ id: string; problem: string | null }> {
  const [first = '', ...others] = members;
  let id = windows.get(first) ?? '';
  if (taken.includes(id)) {
    // Without a target tmux would put it into the session our own client is attached to.
    const format = '#{session_id} #{window_id} #{pane_id}';
    const made = await tmux.run(['break-pane', '-d', '-s', first, '-t', session, '-n', name, '-P', '-F', format]);
    if (made.kind !== 'ok') return { id, problem: replyProblem(made) };
    id = parseIds(made.lines).window_id;
    windows.set(first, id);
    await tmux.runAll(windowOptions(id));
  } else await tmux.run(['rename-window', '-t', id, name]);
  for (const pane of others) {
    if (windows.get(pane) === id) continue;
    const problem = await join(tmux, pane, first);
    if (problem !== null) return { id, problem };
    windows.set(pane, id);
  }
  return { id, problem: null };
}

/** A pane is joined beside another; where that has become too small, the window is tiled first. */
async function join(tmux: Tmux, pane: string, beside: string): Promise<string | null> {
  const words = ['join-pane', '-d', '-h', '-l', '1', '-s', pane, '-t', beside];
  const joined = await tmux.run(words);
  if (joined.kind !== 'error') return replyProblem(joined);
  await tmux.run(['select-layout', '-t', beside, 'tiled']);
  return replyProblem(await tmux.run(words));
}

/** Swaps the window's panes into the plan's order and gives them its sizes. */
async function order(
  tmux: Tmux,
  { layout }: Pick<Place, 'layout'>,
  size: Size,
  plan: WindowPlan,
  window: string,
  members: readonly string[],
): Promise<string | null> {
  const cell = planWindow(layout, size, plan);
  const agents = plan.hasControl ? members.slice(1) : members;
  const wanted = leavesOf(cell).map((leaf) => (leaf === 'control' ? (members[0] ?? '') : (agents[leaf] ?? '')));
  const listed = await tmux.run(['list-panes', '-t', window, '-F', '#{pane_id}']);
  if (listed.kind !== 'ok') return replyProblem(listed);
  const present = [...listed.lines];
  for (const [at, pane] of wanted.entries()) {
    const from = present.indexOf(pane);
    const other = present[at];
    if (from === at || from === -1 || other === undefined) continue;
    await tmux.run(['swap-pane', '-d', '-s', pane, '-t', other]);
    present[from] = other;
    present[at] = pane;
  }
  const arranged = await arrangeWindow(tmux, window, cell, present);
  if (plan.hasControl) await keepControlSize(tmux, layout, window, cell, present);
  return replyProblem(arranged);
}
