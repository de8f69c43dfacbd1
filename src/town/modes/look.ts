/** What a mode's reducer wants to know of the world, read from files alone: an event may wait for nothing else. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { readyBeads } from '../../domain/bead.ts';
import { type ModesConfig, modesConfigSchema } from '../../domain/mode/config.ts';
import type { ModeFacts, Stories } from '../../domain/mode/mode.ts';
import { readStories } from '../../domain/mode/prd.ts';
import type { ModeCommand } from '../../domain/mode/record.ts';
import { shellWord } from '../../domain/quote.ts';
import type { AgentRecord } from '../../domain/records.ts';
import { readPlainText } from '../../store/plain-file.ts';
import type { EventStore } from '../events/store.ts';
import { readState } from './state.ts';

/** `modes` of the configuration in force, from `town.json`: an event does not read YAML. */
const recordedSchema = z.looseObject({ config: z.looseObject({ modes: z.optional(modesConfigSchema) }) });

export function modesConfig(store: Pick<EventStore, 'paths'>): ModesConfig {
  const read = readState(store, { path: store.paths.town, schema: recordedSchema, flush: true });
  return read.kind === 'ok' ? (read.value.config.modes ?? {}) : {};
}

/** The gates in their order; what is not configured is no gate. */
export const gatesOf = (config: ModesConfig): ModeCommand[] =>
  (['build', 'lint', 'test'] as const).flatMap((name) => {
    const command = config[name]?.trim();
    return command ? [{ name, command }] : [];
  });

/** Where the agent works, absolute. */
export const treeOf = (store: Pick<EventStore, 'paths'>, agent: AgentRecord): string =>
  agent.worktree ?? dirname(dirname(store.paths.stateDir));

/** Each part is read when it is asked for, and once. */
export function lookAtMode(store: EventStore, agent: AgentRecord, config: ModesConfig = modesConfig(store)): ModeFacts {
  let requestId: string | undefined;
  let stories: Stories | null = null;
  let beads: ModeFacts['beads'] | null = null;
  return {
    gt: shellWord(join(store.paths.binDir, 'gt')),
    gates: gatesOf(config),
    reviewer: config.reviewer ?? null,
    // Few stops ask for a review, and loading what makes ids takes a tenth of Node's start.
    get requestId() {
      requestId ??= `rv-${randomBytes(4).toString('hex')}`;
      return requestId;
    },
    get stories() {
      stories ??= storiesIn(treeOf(store, agent));
      return stories;
    },
    get beads() {
      beads ??= beadsFor(store, agent.agent_id);
      return beads;
    },
  };
}

const prdLimitBytes = 1_048_576;

function storiesIn(tree: string): Stories {
  const path = join(tree, 'prd.json');
  try {
    return readStories(existsSync(path) ? readPlainText(path, prdLimitBytes) : null);
  } catch (error) {
    return { kind: 'broken', why: error instanceof Error ? error.message : String(error) };
  }
}

function beadsFor(store: EventStore, agentId: string): ModeFacts['beads'] {
  const all = [...store.beads.readAll().values()].flatMap((read) => (read.kind === 'ok' ? [read.value] : []));
  const busy = all.filter(({ status, assignee }) => ['hooked', 'in_progress'].includes(status) && assignee !== agentId);
  const hook = store.hooks.read(agentId);
  const runs = hook.kind === 'ok' && (hook.value.status === 'pending' || hook.value.status === 'active');
  return {
    ready: readyBeads(all).length,
    busy: busy.length,
    own: runs ? (hook.value.work_item?.bead_id ?? null) : null,
  };
}
