/** What holds the agents of an ultrapilot to their files: one small record each, which every runtime's tool event can read. */
import { existsSync, statSync } from 'node:fs';
import { checkedBy, flag, listOf, objectOf, text } from '../../domain/shape.ts';
import { type Guard, type NotOwn, whyNotOwn } from '../../domain/ultrapilot/ownership.ts';
import type { LockOptions } from '../../store/lock.ts';
import { handlerSlot, readState, removeState, type StatePlace } from '../state.ts';
import { namedPathOf, realPathOf } from './real-path.ts';

const shape = checkedBy<Guard>(
  objectOf({
    run_id: text,
    agent_id: text,
    coordinator: text,
    workers: listOf(objectOf({ agent: text, files: listOf(text) })),
    root: text,
    tree: text,
    joined: text,
    slow: listOf(text),
  }),
);

export const guardSlot = (place: StatePlace, agentId: string) => handlerSlot(place, 'ultrapilot', agentId, shape);

/** Null for an agent in no ultrapilot: that costs one look at the disk. Unreadable is a trouble of the event, and never silent. */
export function readGuard(place: StatePlace, agentId: string): Guard | null {
  if (!existsSync(place.paths.handlerSessionState('ultrapilot', agentId))) return null;
  const read = readState(place, guardSlot(place, agentId));
  if (read.kind === 'ok') return read.value;
  if (read.kind === 'absent') return null;
  throw new Error(`the record that holds ${agentId} to its files is ${read.kind}: ${read.reason}`);
}

/** Of that run alone; answers whether it was there. */
export const forgetGuard = (
  place: StatePlace,
  { run_id, agent_id }: Pick<Guard, 'run_id' | 'agent_id'>,
  lock?: LockOptions,
): Promise<boolean> =>
  removeState(place, guardSlot(place, agent_id), (read) => read.kind === 'ok' && read.value.run_id === run_id, lock);

const runShape = checkedBy<{ active: boolean }>(objectOf({ active: flag }));
const cancelledShape = checkedBy<{ runs: { run_id: string }[] }>(
  objectOf({ runs: listOf(objectOf({ run_id: text })) }),
);

/** Whether the run still is one: a cancelled or ended one holds nobody, whatever lies about it. */
export function isInForce(place: StatePlace, { run_id }: Pick<Guard, 'run_id'>): boolean {
  const { paths } = place;
  const at = (path: string) => ({ path, flush: false });
  const run = readState(place, { ...at(paths.mode(run_id, 'ultrapilot')), schema: runShape });
  if (run.kind !== 'ok' || !run.value.active) return false;
  const cancelled = readState(place, { ...at(paths.cancelledModes), schema: cancelledShape });
  return cancelled.kind !== 'ok' || !cancelled.value.runs.some((one) => one.run_id === run_id);
}

/**
 * The first of the files that the agent may not write; null for none. Both count, where its name stands and where it
 * leads to: some tools write through a link, some replace it. `byShell`: a command makes folders, logs and what is built
 * on its way, so of what is in no set only a file that is there counts.
 */
export function whoseElse(guard: Guard, files: readonly string[], cwd: string, byShell = false): NotOwn | null {
  for (const file of files) {
    const real = realPathOf(file, cwd);
    const against = whyNotOwn(guard, real) ?? whyNotOwn(guard, namedPathOf(file, cwd));
    if (against === null || (byShell && against.shared && !isFile(real))) continue;
    return against;
  }
  return null;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
