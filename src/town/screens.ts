/** What the agents' panes show, in one round trip: asked only of those whose files do not say enough. */
import type { PaneInfo } from '../domain/probe.ts';
import { readScreen } from '../domain/read-screen.ts';
import type { ScreenReading } from '../domain/screen.ts';
import { capturePanes } from '../tmux/capture.ts';
import type { Town } from './context.ts';
import { runtimeFor } from './facts.ts';
import { probeOf } from './running.ts';

/** Readings by agent of those in `wanted` whose pane is alive; a pane that could not be read is missing. */
export async function readScreens(
  town: Town,
  panes: Map<string, PaneInfo> | { unknown: string },
  wanted: readonly string[],
): Promise<Map<string, ScreenReading>> {
  const alive = wanted.flatMap((id) => {
    const config = town.agents.find((agent) => agent.agent_id === id);
    const record = town.store.agents.read(id);
    const probe = probeOf(town, record.kind === 'ok' ? record.value : null, panes);
    return config && probe.answer === 'yes' && !probe.dead ? [{ config, pane: probe.pane_id }] : [];
  });
  if (alive.length === 0) return new Map();
  const captures = await capturePanes(
    town.tmux,
    alive.map((one) => one.pane),
  );
  return new Map(
    alive.flatMap(({ config }, index) => {
      const capture = captures[index];
      if (capture?.kind !== 'ok') return [];
      const reading = readScreen(capture.screen, runtimeFor(town, config).descriptor.screen, town.clock());
      return [[config.agent_id, reading] as const];
    }),
  );
}
