/**
 * An ultrapilot, looked after: parts given out, each agent held to its files while its part is open, members that were
 * restarted followed, and in the end everything joined. The deacon does it every round; `gt done` for its own part at once.
 */
import { errorText, GastownError } from '../../domain/errors.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { toIso } from '../../domain/time.ts';
import type { Plan } from '../../domain/ultrapilot/plan-schema.ts';
import {
  beadOf,
  counted,
  goOnText,
  isOver,
  memberState,
  type Part,
  statusOfPart,
  type UltrapilotState,
} from '../../domain/ultrapilot/run.ts';
import { addBead } from '../beads.ts';
import type { Town } from '../context.ts';
import { forgetGuard, readGuard } from '../handlers/file-guards.ts';
import { endMode } from '../modes/change.ts';
import { followMembers, join, keepState, membersOf } from '../modes/joint.ts';
import { jointRuns } from '../modes/records.ts';
import { tellJournal } from '../modes/tell-journal.ts';
import { note } from '../note.ts';
import { sling } from '../sling.ts';
import { keepGuards } from './guards.ts';
import { changeRun, gtWord, stateOf } from './run.ts';

/** After `gt done`: the agent's own part is done at once. What was said of its hook stands, whatever becomes of this. */
export async function afterPartOf(town: Town, agentId: string): Promise<void> {
  try {
    const guard = readGuard(town.store, agentId);
    const joint = jointRuns(town.store, 'ultrapilot').find(({ run_id }) => run_id === guard?.run_id);
    if (joint !== undefined) await serveUltrapilot(town, joint);
    else if (guard !== null) await forgetGuard(town.store, guard);
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
    note(town, 'mode.trouble', `ultrapilot of ${agentId}: ${error.message}`, { agent_id: agentId });
  }
}

export async function serveUltrapilot(town: Town, joint: ModeRecord): Promise<UltrapilotState> {
  const before = stateOf(joint);
  const { plan } = before;
  const members = await followMembers(town.store, joint);
  if (plan === null || before.stage === 'plan') return before;
  const own = { record: joint, state: before };
  const looked = (state: UltrapilotState): UltrapilotState =>
    counted({ ...state, parts: state.parts.map((part) => lookedAt(town, part)) });
  // Held to their files before the work reaches them.
  await keepGuards(town, joint, plan, looked(before).parts);
  const slung = new Set<string>();
  const giving = before.parts.filter((part) => !part.slung);
  await Promise.all(giving.map(async (part) => (await giveOut(town, joint, plan, part)) && slung.add(part.agent)));
  const { state } = await changeRun(town, own, (current) => {
    const parts = current.parts.map((part) => ({ ...part, slung: part.slung || slung.has(part.agent) }));
    const next = looked({ ...current, parts });
    return JSON.stringify(next) === JSON.stringify(current) ? null : { state: next };
  });
  await keepMembers(town, joint, plan, state, members);
  await keepGuards(town, joint, plan, state.parts);
  return state;
}

function lookedAt(town: Town, part: Part): Part {
  const read = town.store.beads.read(part.bead_id);
  // Nobody can read it: what was known of it stands.
  if (read.kind !== 'ok' && read.kind !== 'absent') return part;
  return { ...part, status: statusOfPart(read.kind === 'ok' ? read.value.status : null) };
}

/** True when the part is on its agent's hook. Whatever is in the way is told once and tried again. */
async function giveOut(town: Town, joint: ModeRecord, plan: Plan, { agent, bead_id }: Part): Promise<boolean> {
  const { store } = town;
  try {
    if (store.beads.read(bead_id).kind === 'absent') {
      await addBead(town, { ...beadOf(plan, agent, gtWord(town)), bead_id, priority: 'P1' }, 'ultrapilot');
    }
    await sling(town, { bead: bead_id, agent });
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
    const read = store.beads.read(bead_id);
    // Another of us was quicker.
    if (read.kind === 'ok' && read.value.status !== 'open') return true;
    tellOnce(town, joint, `${bead_id} cannot be put on the hook of ${agent} yet: ${errorText(error)}`);
    return false;
  }
  tellJournal(store, joint, 'ultrapilot.part', `${agent} has its part: ${bead_id}`, 'ultrapilot', town.clock());
  return true;
}

const told = new Set<string>();

/** Once in the life of this process: a round comes every two seconds. */
function tellOnce(town: Town, joint: ModeRecord, message: string): void {
  if (told.has(joint.run_id + message)) return;
  told.add(joint.run_id + message);
  tellJournal(town.store, joint, 'ultrapilot.waits', message, 'ultrapilot', town.clock());
}

/** A worker's session goes on while its part is open; each agent is taken in once, and let go with its part. */
async function keepMembers(
  town: Town,
  joint: ModeRecord,
  plan: Plan,
  { parts, phase }: UltrapilotState,
  running: readonly ModeRecord[],
): Promise<void> {
  const now = town.clock();
  const known = new Set(membersOf(town.store, joint).map(({ agent_id }) => agent_id));
  for (const part of parts) {
    const member = running.find(({ agent_id }) => agent_id === part.agent);
    const state = memberState(`${part.bead_id} ${part.status}`, sayTo(town, plan, part));
    if (member === undefined) {
      if (!isOver(part) && part.slung && !known.has(part.agent))
        await join(town.store, joint, { agentId: part.agent, state, say: false }, now);
    } else if (isOver(part) && part.agent !== plan.coordinator) {
      await endMode(town.store, member, { kind: 'done', why: `its part is ${part.status}` }, now);
    } else if (!isOver(part)) {
      await keepState(town.store, member, state, toIso(now));
    }
  }
  const leader = running.find(({ agent_id }) => agent_id === plan.coordinator);
  const works = parts.some((part) => part.agent === plan.coordinator && !isOver(part));
  if (leader !== undefined && !works) await keepState(town.store, leader, memberState(phase ?? '', null), toIso(now));
}

/** Only while the part is on its own hook and its runtime tells when it rests: of another nobody knows whether it works. */
function sayTo(town: Town, plan: Plan, { agent, bead_id }: Part): string | null {
  const { store } = town;
  const hook = store.hooks.read(agent);
  const isOwn = hook.kind === 'ok' && hook.value.work_item?.bead_id === bead_id && hook.value.status === 'active';
  const record = store.agents.read(agent);
  const sessionId = record.kind === 'ok' ? record.value.session_id : null;
  const tells = sessionId !== null && store.sessions.read(sessionId).kind === 'ok';
  return isOwn && tells ? goOnText(plan, agent, bead_id, gtWord(town)) : null;
}
