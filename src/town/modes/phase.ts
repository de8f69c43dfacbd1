/** `gt phase done`: the agent's own word that a phase or stage is finished; what follows is for gates and reviewers to say. */
import { conflict, refused } from '../../domain/errors.ts';
import type { ModeName } from '../../domain/mode/names.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { callerOf } from '../agent/caller.ts';
import type { Town } from '../context.ts';
import { type Advanced, advanceMode } from './advance.ts';
import { wayOf } from './at-stop.ts';
import { isRunnable, runGates } from './gates.ts';
import { lookAtMode } from './look.ts';
import { isCancelled, modeRecordsOf, modeSession } from './records.ts';

export interface PhaseDone {
  mode: ModeName;
  /** What follows, for the agent. */
  say: string;
  ended: boolean;
}

const withPhases: readonly ModeName[] = ['autopilot', 'pipeline'];

/** Throws exit 3 where the caller's session is in no mode that has phases, exit 5 where it is not the agent's turn. */
export async function phaseDone(town: Town, output: string): Promise<PhaseDone> {
  const { agent: config } = await callerOf(town);
  const { store } = town;
  const { agent, sessionId } = modeSession(store, config.agent_id);
  const active = modeRecordsOf(store, sessionId).filter((one) => one.active && !isCancelled(store, one));
  const record = active.find((one) => isRunnable(one) || withPhases.includes(one.mode));
  if (record === undefined) {
    const others = active.map(({ mode }) => mode).join(', ');
    throw refused(
      others === '' ? 'no mode is active in this session' : `${others} has no phases`,
      others === '' ? 'nothing was changed' : 'end your turn; the town goes on from there',
    );
  }
  const now = town.clock();
  const isServed = wayOf(store, agent, now) === 'type';
  if (isRunnable(record) && !isServed) return runHere(town, record);
  if (record.next?.kind === 'run' || record.next?.kind === 'review') {
    throw conflict(
      `${record.mode} waits already: its ${record.next.kind === 'run' ? 'gates run' : 'review is open'}`,
      'end your turn',
    );
  }
  const advanced = await advanceMode(store, {
    run: record,
    event: { kind: 'phase_done', output },
    facts: lookAtMode(store, agent, town.config.modes ?? {}),
    way: isServed ? 'call' : 'answer',
    by: config.agent_id,
    now,
  });
  if (advanced?.step.kind === 'run' && !isServed) return runHere(town, advanced.record);
  return answerOf(record.mode, advanced);
}

async function runHere(town: Town, record: ModeRecord): Promise<PhaseDone> {
  const advanced = await runGates(town.store, record, {
    way: 'answer',
    by: record.agent_id,
    env: town.env,
    clock: () => town.clock(),
  });
  return answerOf(record.mode, advanced);
}

function answerOf(mode: ModeName, advanced: Advanced | null): PhaseDone {
  if (advanced === null) return { mode, say: `${mode} is over: nothing was changed`, ended: true };
  const { record, step } = advanced;
  if (record.ended !== null) return { mode, say: `${mode} ends: ${record.ended.why}`, ended: true };
  switch (step.kind) {
    case 'say':
      return { mode, say: step.text, ended: false };
    case 'run':
      return {
        mode,
        say: `The town runs ${step.commands.map(({ name }) => name).join(', ')} now. End your turn; it tells you what came of it.`,
        ended: false,
      };
    case 'review':
      return {
        mode,
        say: `Request ${step.requestId} is with the reviewer. End your turn; you will hear the verdict.`,
        ended: false,
      };
    default:
      return { mode, say: 'End your turn; the town goes on from there.', ended: false };
  }
}
