/** Beginning a mode in an agent's own session: by the operator, by a key, by a leading word of a prompt, or by a service. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { conflict } from '../../domain/errors.ts';
import { applyStep, newRun, type Way } from '../../domain/mode/apply.ts';
import type { ModesConfig } from '../../domain/mode/config.ts';
import type { ModeOptions, ModeState } from '../../domain/mode/mode.ts';
import { modes } from '../../domain/mode/modes.ts';
import { budgetOf, excludedBy, hardMaximum, type ModeName } from '../../domain/mode/names.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { storedText } from '../../domain/prose.ts';
import { type LockOptions, withLongLock } from '../../store/lock.ts';
import type { EventStore } from '../events/store.ts';
import { lookAtMode, modesConfig } from './look.ts';
import { jointRuns, modeRecordsOf, modeSession, runPrefix } from './records.ts';
import { modeSlot, writeState } from './state.ts';
import { tellJournal } from './tell-journal.ts';

export interface ModeStart {
  mode: ModeName;
  agentId: string;
  goal: string;
  by: string;
  options?: ModeOptions;
  /** Continuations at most; the mode's own budget without it, and never more than the hard maximum. */
  maxIterations?: number;
  /** The run that starts this one: it ends and is cancelled with that one. */
  linkedTo?: string;
  /** A run of several agents (`joint.ts`), led by this one: it is in no session, and of each mode there is one at a time. */
  joint?: true;
  /** How its first words reach the agent; typed by the deacon unless said otherwise. `null`: it has none of its own. */
  way?: Way | null;
}

export interface ModeStarted {
  record: ModeRecord;
  /** The first words, where `way` is `answer`; null where none follow or the town types them. */
  say: string | null;
}

/** The state a run begins with. Throws exit 1 for options it cannot run with. */
export function firstState(
  { mode, agentId, goal, options = {} }: Pick<ModeStart, 'mode' | 'agentId' | 'goal' | 'options'>,
  config: ModesConfig,
): ModeState {
  const reviewer = options.reviewer ?? config.reviewer ?? null;
  const workers = options.workers ?? config.workers;
  return modes[mode].begin(goal, {
    ...options,
    // Nobody reviews himself: then the human does.
    reviewer: reviewer === agentId ? null : reviewer,
    ...(workers === undefined ? {} : { workers }),
    ...(options.command === undefined && config.test !== undefined ? { command: config.test } : {}),
  });
}

/**
 * Throws exit 3 for an agent that never ran, exit 5 where another mode excludes it, exit 1 for options it cannot
 * run with. The agent's session is the exact one this run belongs to.
 */
export async function startMode(
  store: EventStore,
  { mode, agentId, goal, by, options = {}, maxIterations = budgetOf[mode], linkedTo, joint, way = 'type' }: ModeStart,
  now: number,
  lock?: LockOptions,
): Promise<ModeStarted> {
  const { agent, sessionId: ownSession } = modeSession(store, agentId);
  const runId = `${runPrefix}${randomBytes(6).toString('hex')}`;
  const sessionId = joint ? runId : ownSession;
  const config = modesConfig(store);
  const text = storedText(goal.trim());
  const state = firstState({ mode, agentId, goal: text, options }, config);
  const fresh = newRun(
    {
      mode,
      session_id: sessionId,
      agent_id: agentId,
      instance_id: agent.instance_id,
      run_id: runId,
      linked_to: linkedTo ?? null,
      goal: text,
      max_iterations: Math.min(Math.max(1, maxIterations), hardMaximum),
      state,
    },
    now,
  );
  const reduced = way === null ? null : modes[mode].reduce(fresh, { kind: 'idle' }, lookAtMode(store, agent, config));
  const first = reduced === null || way === null ? fresh : applyStep(fresh, reduced, way, now);
  const begin = async (): Promise<ModeRecord | null> => {
    const active = joint ? jointRuns(store, mode) : modeRecordsOf(store, sessionId).filter((other) => other.active);
    const against = excludedBy(
      mode,
      active.map((other) => other.mode),
    );
    if (against.length > 0) {
      throw conflict(
        `${mode} cannot start for ${agentId}: ${against.join(', ')} is active`,
        `end it: gastown mode cancel ${active[0]?.agent_id ?? agentId}`,
      );
    }
    return (await writeState(store, modeSlot(store, sessionId, mode), () => first, lock)).value;
  };
  // One lock for all modes of a session: of two starts that exclude each other the second finds the first.
  const value = await withLongLock(
    join(store.paths.locksDir, `modes.${joint ? mode : sessionId}.start.lock`),
    begin,
    lock,
  );
  const record = value ?? first;
  tellJournal(store, record, 'mode.started', `${mode} begins for ${agentId}`, by, now);
  return { record, say: way === 'answer' && reduced?.step.kind === 'say' ? reduced.step.text : null };
}
