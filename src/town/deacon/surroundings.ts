/** What the deacon asks tmux, once for all agents, and what of the answer is news for which agent. */
import type { PaneInfo } from '../../domain/probe.ts';
import type { Town } from '../context.ts';
import type { Surroundings } from '../facts.ts';
import { serverAndPanes } from '../running.ts';

export interface Look extends Surroundings {
  server: 'ok' | 'gone' | 'unknown';
}

export async function lookAround(town: Town): Promise<Look> {
  const { server, panes } = await serverAndPanes(town);
  const seen = server === 'ok' ? panes : { unknown: `the tmux server is ${server}` };
  return { server, panes: seen, townRunning: server !== 'gone', screens: new Map() };
}

/** Whether anything of a pane has changed that says something of its program; titles move all the time. */
export function isNews(before: Look, after: Look, paneId: string | null): boolean {
  if (before.server !== after.server) return true;
  const [was, is] = [before, after].map(({ panes }) =>
    panes instanceof Map ? sign(paneId === null ? undefined : panes.get(paneId)) : 'unknown',
  );
  return was !== is;
}

const sign = (pane: PaneInfo | undefined): string => (pane === undefined ? 'none' : `${pane.pid} ${pane.dead}`);
