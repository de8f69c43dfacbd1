/** What a dead tmux server took with it, agent by agent, as it was known last. Nothing of it is lost but the panes. */
import { cleanLine } from '../domain/text.ts';
import { capturePanes } from '../tmux/capture.ts';
import type { Town } from './context.ts';
import { runtimeFor } from './facts.ts';

export interface Lost {
  agent_id: string;
  bead_id: string | null;
  title: string | null;
  session_id: string | null;
  /** The last line its pane was seen to show, or else the last that the journal says of it. */
  last: string | null;
}

/** Agents that had a pane and were not stopped on purpose; `seen`: last lines by agent. */
export function lostAgents(town: Town, seen: ReadonlyMap<string, string> = new Map()): Lost[] {
  const journal = town.store.journal.tail(500).entries;
  return town.agents.flatMap(({ agent_id: id }): Lost[] => {
    const record = town.store.agents.read(id);
    if (record.kind !== 'ok' || record.value.pane_id === null || record.value.stop_intent) return [];
    const hook = town.store.hooks.read(id);
    const item = hook.kind === 'ok' ? hook.value.work_item : null;
    const told = journal.findLast((entry) => entry.agent_id === id)?.message ?? null;
    return [
      {
        agent_id: id,
        bead_id: item?.bead_id ?? null,
        title: item?.title ?? null,
        session_id: record.value.session_id,
        last: seen.get(id) ?? told,
      },
    ];
  });
}

/** One line for people. */
export function lostText({ agent_id, bead_id, title, session_id, last }: Lost): string {
  const work = bead_id === null ? 'idle' : `${bead_id} ${cleanLine(title ?? '')}`;
  const parts = [work, session_id === null ? null : `session ${session_id}`, last === null ? null : `last: ${last}`];
  return `${agent_id}: ${parts.filter((part) => part !== null).join(', ')}`;
}

const everyMs = 5_000;
const firstMs = 500;
const lineLength = 100;

/** Remembers what the agents' panes show last, every few seconds, for the day the server dies. */
export function rememberLastLines(town: Town): { lines: ReadonlyMap<string, string>; end(): void } {
  const lines = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const look = async (): Promise<void> => {
    await lookAtPanes(town, lines).catch(() => {});
    if (!ended) timer = setTimeout(() => void look(), everyMs);
  };
  timer = setTimeout(() => void look(), firstMs);
  return {
    lines,
    end() {
      ended = true;
      clearTimeout(timer);
    },
  };
}

async function lookAtPanes(town: Town, lines: Map<string, string>): Promise<void> {
  const panes = town.agents.flatMap((config) => {
    const record = town.store.agents.read(config.agent_id);
    const id = record.kind === 'ok' ? record.value.pane_id : null;
    return id === null ? [] : [{ config, id }];
  });
  if (panes.length === 0) return;
  const captures = await capturePanes(
    town.tmux,
    panes.map(({ id }) => id),
  );
  for (const [index, { config }] of panes.entries()) {
    const capture = captures[index];
    if (capture?.kind !== 'ok') continue;
    const line = lastLine(capture.screen.lines, runtimeFor(town, config).descriptor.screen.composer);
    if (line !== null) lines.set(config.agent_id, line);
  }
}

/** The last line with words in it above the composer. */
function lastLine(shown: readonly string[], composer: RegExp | null): string | null {
  const end = composer === null ? -1 : shown.findLastIndex((line) => composer.test(line));
  const said = (end < 0 ? shown : shown.slice(0, end)).findLast((line) => /[\p{L}\p{N}]/u.test(line));
  return said === undefined ? null : cleanLine(said).slice(0, lineLength);
}
