/** An ultrapilot as commands print it, and one agent's own part of it. */
import { refused } from '../../domain/errors.ts';
import { notOwnText } from '../../domain/ultrapilot/ownership.ts';
import type { Plan } from '../../domain/ultrapilot/plan-schema.ts';
import type { Joined, Part } from '../../domain/ultrapilot/run.ts';
import { callerOf } from '../agent/caller.ts';
import type { Town } from '../context.ts';
import { isInForce, readGuard, whoseElse } from '../handlers/file-guards.ts';
import { gtWord, lastUltrapilot, type Ultrapilot } from './run.ts';

export interface UltrapilotView {
  run_id: string;
  active: boolean;
  coordinator: string;
  goal: string;
  stage: 'plan' | 'work' | 'join';
  phase: string;
  /** Why its text is no plan yet; null when it is one. */
  problem: string | null;
  plan: Plan | null;
  parts: Part[];
  joined: Joined | null;
  /** How it ended; null while it runs. */
  ended: string | null;
}

export function viewOf({ record, state }: Ultrapilot): UltrapilotView {
  const { stage, phase, problem, plan, parts, joined } = state;
  return {
    run_id: record.run_id,
    active: record.active,
    coordinator: record.agent_id,
    goal: record.goal,
    stage,
    phase: phase ?? '',
    problem,
    plan,
    parts,
    joined,
    ended: record.ended?.why ?? null,
  };
}

/** Exit 3 where there never was one, or it was cancelled. */
export function showUltrapilot(town: Town): UltrapilotView {
  const last = lastUltrapilot(town.store);
  if (last !== null) return viewOf(last);
  throw refused('there is no ultrapilot here', 'begin one: gastown mode start ultrapilot AGENT --plan FILE');
}

export interface OwnPart {
  agent_id: string;
  bead_id: string | null;
  task: string | null;
  /** Its own sets; null for the coordinator, who has what is in none. */
  files: readonly string[] | null;
  others: { agent: string; files: readonly string[] }[];
  coordinator: string;
}

/** Exit 3 for an agent that takes part in none. */
export async function ownPart(town: Town): Promise<OwnPart> {
  const { agent } = await callerOf(town);
  const id = agent.agent_id;
  const last = lastUltrapilot(town.store);
  const plan = last?.record.active ? last.state.plan : null;
  const own = plan?.workers.find((worker) => worker.agent === id);
  if (!plan || (own === undefined && plan.coordinator !== id)) {
    throw refused(`${id} takes part in no ultrapilot`, 'nothing is asked of you');
  }
  return {
    agent_id: id,
    bead_id: last?.state.parts.find((part) => part.agent === id)?.bead_id ?? null,
    task: own?.task ?? null,
    files: own?.files ?? null,
    others: plan.workers
      .filter((worker) => worker.agent !== id)
      .map(({ agent: name, files }) => ({ agent: name, files })),
    coordinator: plan.coordinator,
  };
}

/** Exit 3, with the owner named, for the first of the files that is not the caller's to write. */
export async function mayWrite(
  town: Town,
  files: readonly string[],
  cwd: string,
): Promise<{ may: true; held: boolean }> {
  const { agent } = await callerOf(town);
  const guard = readGuard(town.store, agent.agent_id);
  if (guard === null || !isInForce(town.store, guard)) return { may: true, held: false };
  const against = whoseElse(guard, files, cwd);
  if (against === null) return { may: true, held: true };
  throw refused(notOwnText(guard, against, gtWord(town)));
}
