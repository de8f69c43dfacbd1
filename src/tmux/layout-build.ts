/**
 * The town's session: one window with the control pane, more for agents, one for the deacon. Windows are laid out with
 * placeholders first and the programs start last, so that each is born at its final size. Addresses are ids tmux gave.
 */
import { refused } from '../domain/errors.ts';
import type { SessionNames } from './anchor.ts';
import { arrangeWindow, bindAgentKeys, keepControlSize } from './arrange.ts';
import { connectControl } from './control-client.ts';
import type { Tmux } from './driver.ts';
import { planWindow, planWindows } from './layout-plan.ts';
import { leavesOf } from './layout-string.ts';
import { type PaneSpec, respawnPane, type StartedPane, startPanes } from './pane-start.ts';
import { splitWindow } from './split-window.ts';
import { windowOptions } from './window-options.ts';
import { makeSession, newWindow, type Place, parseIds, required, windowName } from './windows.ts';

export { addAgentPane } from './layout-add.ts';
export type { PaneSpec, Place, StartedPane };
export { respawnPane };

export interface TownPanes {
  control: StartedPane;
  deacon: StartedPane;
  /** One per agent, in order: its pane, or why it could not be made. The others are not affected. */
  agents: (StartedPane | { problem: string })[];
}

export interface TownSpecs {
  control: PaneSpec;
  deacon: PaneSpec;
  agents: readonly PaneSpec[];
}

/** Makes the session with all its windows and starts every program. Throws exit 3 when control or deacon fail. */
export async function buildTown(tmux: Tmux, place: Place, specs: TownSpecs): Promise<TownPanes> {
  // A build is hundreds of commands, many of which need an answer of the one before: no process for each.
  const connection = await connectControl(tmux.socket, { anchor: place.names.anchor });
  try {
    return await buildOver(connection, place, specs);
  } finally {
    await connection.close();
  }
}

async function buildOver(tmux: Tmux, place: Place, specs: TownSpecs): Promise<TownPanes> {
  const plans = planWindows(place.layout, place.size, specs.agents.length);
  const session = await makeSession(tmux, place);
  const rest = plans.slice(1).map((_, index) => windowName(place.layout, index + 2, specs.agents[index]?.label));
  const made = await tmux.runAll([...rest, 'deacon'].map((name) => newWindow(session.session_id, name)));
  const firsts = [session, ...made.map((reply) => parseIds(required(reply, 'a window could not be made')))];
  await tmux.runAll(firsts.flatMap(({ window_id }) => windowOptions(window_id)));

  let nextAgent = 0;
  const starts: { pane_id: string; spec: PaneSpec }[] = [];
  for (const [index, plan] of plans.entries()) {
    const first = firsts[index];
    if (!first) continue;
    const agents = specs.agents.slice(nextAgent, nextAgent + plan.agents);
    nextAgent += plan.agents;
    const cell = planWindow(place.layout, place.size, plan);
    const leaves = leavesOf(cell);
    const panes = await splitWindow(tmux, first.pane_id, leaves.length);
    await arrangeWindow(tmux, first.window_id, cell, panes);
    leaves.forEach((leaf, at) => {
      const spec = leaf === 'control' ? specs.control : agents[leaf];
      const pane_id = panes[at];
      if (spec && pane_id !== undefined) starts.push({ pane_id, spec });
    });
    if (plan.hasControl) await keepControlSize(tmux, place.layout, first.window_id, cell, panes);
  }
  const deacon = firsts.at(-1);
  if (deacon) starts.push({ pane_id: deacon.pane_id, spec: specs.deacon });

  const started = await startPanes(tmux, starts);
  const of = (spec: PaneSpec) =>
    started[starts.findIndex((start) => start.spec === spec)] ?? { problem: 'there was no room for its pane' };
  const town: TownPanes = {
    control: runningOr('control', of(specs.control)),
    deacon: runningOr('deacon', of(specs.deacon)),
    agents: specs.agents.map(of),
  };
  await tmux.runAll([
    ['select-window', '-t', session.window_id],
    ['select-pane', '-t', town.control.pane_id],
  ]);
  if (!place.shared) {
    await bindAgentKeys(
      tmux,
      town.control.pane_id,
      town.agents.flatMap((one) => ('pane_id' in one ? [one.pane_id] : [])),
    );
  }
  return town;
}

/** One more window in a running town, for a program of its own; the window shown stays. Throws exit 3. */
export async function addWindow(tmux: Tmux, names: SessionNames, spec: PaneSpec): Promise<StartedPane> {
  const reply = await tmux.run(newWindow(`=${names.town}`, spec.label));
  const made = parseIds(required(reply, `no window could be made for ${spec.label}`));
  await tmux.runAll(windowOptions(made.window_id));
  const [started] = await startPanes(tmux, [{ pane_id: made.pane_id, spec }]);
  return runningOr(spec.label, started ?? { problem: 'it was not started' });
}

/** Ends the town's sessions, on a shared server: what is not ours goes on. */
export async function endSession(tmux: Tmux, names: SessionNames): Promise<void> {
  await tmux.runAll([
    ['kill-session', '-t', `=${names.town}`],
    ['kill-session', '-t', `=${names.anchor}`],
  ]);
}

function runningOr(name: string, pane: StartedPane | { problem: string }): StartedPane {
  if ('pane_id' in pane) return pane;
  throw refused(`the ${name} pane could not be started: ${pane.problem}`, 'gastown doctor');
}
