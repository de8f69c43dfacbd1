/** An ultrapilot before it begins: its plan is made, shown and changed, and nothing happens until a human says so. */
import { conflict, refused, usage } from '../../domain/errors.ts';
import { toIso } from '../../domain/time.ts';
import { parsePlan, planTemplate } from '../../domain/ultrapilot/plan.ts';
import { memberState, plannedState, planText } from '../../domain/ultrapilot/run.ts';
import type { LockOptions } from '../../store/lock.ts';
import type { Town } from '../context.ts';
import { reachHuman } from '../deacon/notify.ts';
import type { EventStore } from '../events/store.ts';
import { cancelModes } from '../modes/cancel.ts';
import { keepState, membersOf } from '../modes/joint.ts';
import { type ModeStart, type ModeStarted, startMode } from '../modes/start.ts';
import { note } from '../note.ts';
import { changeRun, gtWord, lastUltrapilot, requireUltrapilot, type Ultrapilot } from './run.ts';

/** Bytes of a plan. */
export const planLimitBytes = 200_000;
const standardWorkers = 5;

/** `gastown mode start ultrapilot <coordinator>`: with a plan it waits for its word, without one the coordinator writes it. */
export async function startUltrapilot(town: Town, start: ModeStart): Promise<ModeStarted> {
  const workers = town.agents.filter(({ role, agent_id }) => role === 'polecat' && agent_id !== start.agentId);
  const most = start.options?.workers ?? town.config.modes?.workers ?? standardWorkers;
  const names = workers.slice(0, most).map(({ agent_id }) => agent_id);
  const { plan: given } = start.options ?? {};
  if (given === undefined) {
    if (start.goal.trim() === '') throw usage('an ultrapilot needs a goal or a plan', 'say the goal, or --plan FILE');
    return beginPlanning(town.store, start, { names, gt: gtWord(town), now: town.clock() });
  }
  const plan = readPlan(town, given.text, start.agentId, given.fileName);
  const { joint } = await openRun(town.store, { ...start, goal: start.goal.trim() || plan.goal }, town.clock(), {
    text: given.text,
    plan,
    say: null,
  });
  return joint;
}

/**
 * A run without a plan: its coordinator is told to write one. `names`: agents that could work. Throws as `startMode`; nothing
 * has begun then.
 */
export async function beginPlanning(
  store: EventStore,
  start: ModeStart,
  { names, gt, now, lock }: { names: readonly string[]; gt: string; now: number; lock?: LockOptions },
): Promise<ModeStarted> {
  const text = planTemplate(start.goal, start.agentId, names);
  const say = planText(start.goal, names, text, gt);
  const { joint, member } = await openRun(store, start, now, { text, plan: null, say }, lock);
  return { record: joint.record, say: member.say };
}

async function openRun(
  store: EventStore,
  start: ModeStart,
  now: number,
  { text, plan, say }: { text: string; plan: ReturnType<typeof parsePlan> | null; say: string | null },
  lock?: LockOptions,
): Promise<{ joint: ModeStarted; member: ModeStarted }> {
  const problem = plan === null ? 'nobody has written it yet' : null;
  const planned = plannedState(text, plan, problem);
  const joint = await startMode(
    store,
    { ...start, options: { state: { ...planned } }, joint: true, way: null },
    now,
    lock,
  );
  const { run_id, session_id, goal } = joint.record;
  try {
    const state = memberState(planned.phase ?? '', say);
    const way = say === null ? null : (start.way ?? 'type');
    const member = await startMode(
      store,
      { mode: 'ultrapilot', agentId: start.agentId, goal, by: start.by, options: { state }, linkedTo: run_id, way },
      now,
      lock,
    );
    return { joint, member };
  } catch (error) {
    // Half a run would hold the place of the next.
    await cancelModes(store, { agentId: start.agentId, sessionId: session_id, mode: 'ultrapilot', by: 'gastown' }, now);
    throw error;
  }
}

/** Throws exit 1 for a text that is no plan of this coordinator, with the line of the first mistake. */
function readPlan(town: Town, text: string, coordinator: string, fileName: string): ReturnType<typeof parsePlan> {
  if (Buffer.byteLength(text) > planLimitBytes) throw usage(`a plan has at most ${planLimitBytes} bytes`, 'shorten it');
  const names = town.agents.map(({ agent_id }) => agent_id);
  const plan = parsePlan(text, fileName, names);
  if (plan.coordinator === coordinator) return plan;
  throw usage(
    `${fileName} is for the coordinator ${plan.coordinator}, this ultrapilot has ${coordinator}`,
    'mend one of them',
  );
}

/**
 * Another plan in the place of the present one. Throws exit 1 for a text that is none, exit 3 once the work has begun, exit 5
 * where `was` is given and no longer the present text.
 */
export async function replacePlan(
  town: Town,
  text: string,
  { fileName, was }: { fileName: string; was?: string },
): Promise<Ultrapilot> {
  const run = requireUltrapilot(town);
  const plan = readPlan(town, text, run.record.agent_id, fileName);
  const changed = await changeRun(town, run, (state) => {
    if (state.stage !== 'plan')
      throw refused('the work has begun, so its plan stands', 'gastown mode cancel ultrapilot ends it');
    if (was !== undefined && was !== state.text) throw conflict('the plan was changed meanwhile', 'look at it again');
    return { state: plannedState(text, plan, null), goal: plan.goal };
  });
  note(town, 'ultrapilot.planned', `a plan of ${plan.workers.length} workers waits for its word: ${plan.goal}`, {
    agent_id: changed.record.agent_id,
  });
  await keepCoordinator(town, changed);
  return changed;
}

/** Its row shows how far the whole is; it has nothing to write any more. */
async function keepCoordinator(town: Town, { record, state }: Ultrapilot): Promise<void> {
  const member = membersOf(town.store, record).find((one) => one.agent_id === record.agent_id && one.active);
  if (member) await keepState(town.store, member, memberState(state.phase ?? '', null), toIso(town.clock()));
}

/** A human's no: nothing begins, and the text stays to be changed. Throws exit 3 once the work has begun. */
export async function turnDown(town: Town, run: Ultrapilot): Promise<void> {
  const down = await changeRun(town, run, ({ stage, text }) => {
    if (stage !== 'plan')
      throw refused('the work has begun, so its plan stands', 'gastown mode cancel ultrapilot ends it');
    return { state: plannedState(text, null, 'it was turned down') };
  });
  note(town, 'ultrapilot.refused', 'the plan was turned down', { agent_id: run.record.agent_id });
  await keepCoordinator(town, down);
}

/** By an agent: only the coordinator plans, and only its own ultrapilot. */
export async function handInPlan(town: Town, agentId: string, text: string, fileName: string): Promise<Ultrapilot> {
  const run = lastUltrapilot(town.store);
  if (!run?.record.active || run.record.agent_id !== agentId) {
    throw refused(`${agentId} coordinates no ultrapilot`, 'nothing was changed');
  }
  const planned = await replacePlan(town, text, { fileName });
  const message = `the plan of an ultrapilot by ${agentId} waits for your word: gastown ultrapilot`;
  await reachHuman(town, message, { kind: 'ultrapilot_plan', agent_id: agentId, message });
  return planned;
}
