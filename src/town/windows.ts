/** The town's windows: which layout, which sessions, and the panes of control, deacon and agents. */
import { join } from 'node:path';
import { errorText } from '../domain/errors.ts';
import type { Layout } from '../domain/layout.ts';
import { type SessionNames, sessionNames } from '../tmux/anchor.ts';
import {
  addAgentPane,
  addWindow,
  buildTown,
  type PaneSpec,
  respawnPane,
  type StartedPane,
} from '../tmux/layout-build.ts';
import { loadLayout } from '../tmux/layout-file.ts';
import { listPanes } from '../tmux/panes.ts';
import { relayoutForAttach } from '../tmux/relayout.ts';
import { townId } from '../tmux/socket.ts';
import { packageRoot, type Town } from './context.ts';

/** A pane that was made, or in one line why it was not. */
export type OpenedPane = StartedPane | { why: string };

/** On the user's own server (`tmux.socket: default`) everything of ours carries the town in its name. */
export const isSharedServer = (town: Pick<Town, 'config'>): boolean => town.config.tmux?.socket === 'default';

export const sessionsOf = (town: Pick<Town, 'config' | 'root'>): SessionNames =>
  sessionNames(isSharedServer(town) ? townId(town.root) : null);

/** The town's own `layouts/` come before the shipped ones. Throws exit 1 for an unknown or wrong layout. */
export const layoutOf = (town: Pick<Town, 'config' | 'root'>): Promise<Layout> =>
  loadLayout(town.config.layout ?? 'default', [join(town.root, 'layouts'), join(packageRoot(), 'layouts')]);

/** Makes all windows of a new town. `size` is the operator's terminal. Exit 3 when control or deacon cannot run. */
export async function buildWindows(
  town: Town,
  size: { columns: number; rows: number },
  agents: readonly PaneSpec[],
): Promise<{ control: StartedPane; agents: Map<string, OpenedPane> }> {
  const place = {
    names: sessionsOf(town),
    layout: await layoutOf(town),
    size: { width: size.columns, height: size.rows - 1 },
    shared: isSharedServer(town),
    title: town.name,
  };
  const built = await buildTown(town.tmux, place, {
    control: programSpec(town, 'control'),
    deacon: programSpec(town, 'deacon'),
    agents,
  });
  const opened = built.agents.map((pane, index): [string, OpenedPane] => [
    agents[index]?.label ?? '',
    'problem' in pane ? { why: pane.problem } : pane,
  ]);
  return { control: built.control, agents: new Map(opened) };
}

/** One pane in a running town: the agent's former place where there is one. */
export async function openPane(town: Town, spec: PaneSpec): Promise<OpenedPane> {
  const place = { names: sessionsOf(town), layout: await layoutOf(town), shared: isSharedServer(town) };
  try {
    return await addAgentPane(town.tmux, place, spec);
  } catch (error) {
    return { why: errorText(error) };
  }
}

/** Before an operator comes with a screen of another size: no agent's pane falls below the layout's minimum. */
export async function fitWindows(town: Town, size: { columns: number; rows: number }): Promise<void> {
  const place = { names: sessionsOf(town), layout: await layoutOf(town) };
  const labels = town.agents.map((agent) => agent.agent_id);
  await relayoutForAttach(town.tmux, place, { width: size.columns, height: size.rows - 1 }, labels);
}

/** Starts what is not running of control and deacon in the panes they had; answers which were started. */
export async function reviveOwnPanes(town: Town, names: readonly ('control' | 'deacon')[]): Promise<string[]> {
  const listed = await listPanes(town.tmux);
  if (listed.kind !== 'ok') return [];
  const revived: string[] = [];
  for (const name of names) {
    const pane = listed.panes.find((one) => one.label === name && one.session === sessionsOf(town).town);
    if (pane?.dead !== true) continue;
    await respawnPane(town.tmux, pane.pane_id, programSpec(town, name));
    revived.push(name);
  }
  return revived;
}

/** The deacon in its pane, or in a new window where somebody closed that; false where tmux does not answer. */
export async function openDeacon(town: Town): Promise<boolean> {
  if ((await reviveOwnPanes(town, ['deacon'])).length > 0) return true;
  const listed = await listPanes(town.tmux);
  if (listed.kind !== 'ok' || listed.panes.some(({ label }) => label === 'deacon')) return false;
  await addWindow(town.tmux, sessionsOf(town), programSpec(town, 'deacon'));
  return true;
}

/** A program of ours in a pane of its own: the town's, not any agent's. */
function programSpec(town: Town, name: 'control' | 'deacon'): PaneSpec {
  const kept = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'NO_COLOR', 'COLORTERM', 'XDG_RUNTIME_DIR', 'TMPDIR'];
  const ours = Object.entries(town.env).filter(
    ([key]) => kept.includes(key) || key.startsWith('GASTOWN_') || key.startsWith('INK_'),
  );
  const thresholds = ['GT_STALL_THRESHOLD', 'GT_NUDGE_INTERVAL', 'GT_RESTART_THRESHOLD', 'GT_GUPP_STRATEGY'];
  const operator = Object.entries(town.env).filter(([key]) => thresholds.includes(key));
  return {
    label: name,
    cwd: town.root,
    argv: [town.node, join(town.distDir, 'gastown.cjs'), name],
    env: Object.fromEntries([...ours, ...operator].filter((pair): pair is [string, string] => pair[1] !== undefined)),
  };
}
