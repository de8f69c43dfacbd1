/** What a session was about, kept over a compaction: `handlers/pre-compact/<session>.json`. */
import { readdirSync } from 'node:fs';
import { cutBytes, quoteLine } from '../../domain/quote.ts';
import type { AgentRecord } from '../../domain/records.ts';
import { checkedBy, flag, listOf, objectOf, orNull, text } from '../../domain/shape.ts';
import { toIso } from '../../domain/time.ts';
import { promptSeen } from '../events/prompt-proof.ts';
import type { EventStore } from '../events/store.ts';
import { todosOf } from '../modes/todos.ts';
import { handlerSlot, type StatePlace } from '../state.ts';
import { notesOf } from './notepad.ts';

export interface Checkpoint {
  at: string;
  /** `manual`, `auto`, or what the runtime calls it. */
  trigger: string;
  /** In the order in which they are given back. */
  lines: string[];
  /** The compaction is over and the checkpoint waits to be given back. */
  due: boolean;
  restored_at: string | null;
}

const shape = checkedBy<Checkpoint>(
  objectOf({ at: text, trigger: text, lines: listOf(text), due: flag, restored_at: orNull(text) }),
);

export const checkpointSlot = (place: StatePlace, sessionId: string) =>
  handlerSlot(place, 'pre-compact', sessionId, shape);

interface About {
  store: EventStore;
  agent: AgentRecord;
  sessionId: string;
  env: Readonly<Record<string, string | undefined>>;
  now: number;
}

/** Read from files alone: the hook, the modes, the session's own todos, the last prompt, the priority notes. */
export function checkpointOf({ store, agent, sessionId, env, now }: About, trigger: string, due: boolean): Checkpoint {
  const hook = store.hooks.read(agent.agent_id);
  const work = hook.kind === 'ok' ? hook.value.work_item : null;
  const modes = namesIn(store.paths.sessionModes(sessionId));
  const todos = todosOf(env, sessionId);
  const prompt = promptSeen(store.paths, agent.agent_id, 0);
  const left = todos === null ? 0 : todos.pending + todos.in_progress;
  const lines = [
    work && hook.kind === 'ok' ? `On your hook (${hook.value.status}): ${work.bead_id} ${quoteLine(work.title)}` : null,
    modes.length === 0 ? null : `You are in a mode: ${modes.join(', ')}`,
    left === 0
      ? null
      : `Of your todos ${left} are not finished${todos?.next ? `, next: ${quoteLine(todos.next)}` : ''}`,
    prompt?.session_id === sessionId && prompt.head.trim() !== ''
      ? `The last prompt began: ${quoteLine(prompt.head)}`
      : null,
    ...notesOf(store, agent.agent_id)
      .filter(({ priority }) => priority)
      .map((one) => `Note: ${quoteLine(one.text, 500)}`),
  ].filter((line) => line !== null);
  return { at: toIso(now), trigger, lines, due, restored_at: null };
}

/** As it is given back; null where there is nothing to say. */
export function checkpointText({ at, lines }: Checkpoint, limitBytes: number): string | null {
  if (lines.length === 0) return null;
  return cutBytes([`[gastown] Before your context was compacted (${at}):`, ...lines].join('\n'), limitBytes);
}

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -5));
  } catch {
    return [];
  }
};
