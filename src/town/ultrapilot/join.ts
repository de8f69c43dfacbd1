/**
 * The parts put together: each worker's branch merged, in the order of the plan, into a branch of their own in a tree of its
 * own. What cannot go in by itself is held back and told with names, everything stays where it is, and it can be tried
 * again. The main checkout is never touched.
 */
import { join } from 'node:path';
import { GastownError, refused } from '../../domain/errors.ts';
import { archiveFolder, hookFile } from '../../domain/handoff.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { ownerOf } from '../../domain/ultrapilot/file-sets.ts';
import type { Plan } from '../../domain/ultrapilot/plan-schema.ts';
import { counted, isOver, isSettled, type Joined, type JoinedPart, type Part } from '../../domain/ultrapilot/run.ts';
import { heldText } from '../../domain/ultrapilot/tell.ts';
import { changedFiles, commitOf, isContained, mergeInto } from '../../git/join-branches.ts';
import { removeWorktree } from '../../git/remove-worktree.ts';
import { worktreeState } from '../../git/worktree-state.ts';
import { ensureWorktree } from '../../git/worktrees.ts';
import { withLongLock } from '../../store/lock.ts';
import type { Town } from '../context.ts';
import { acknowledge, openEscalation } from '../deacon/escalations.ts';
import { endJoint } from '../modes/joint.ts';
import { tellJournal } from '../modes/tell-journal.ts';
import { dropGuards } from './guards.ts';
import { changeRun, joinedName, requireUltrapilot, stateOf, type Ultrapilot } from './run.ts';
import { serveUltrapilot } from './serve.ts';

export interface JoinWish {
  by: string;
  /** Agents whose branch is taken as it is: with files of others, and without what they have not committed. */
  accept?: readonly string[];
  /** Agents whose part is left out. */
  without?: readonly string[];
}

/** Waits for another that does the same. */
const joinWaitMs = 60_000;

/** Answers the run as it is then; it has ended when every part is in or left out. Throws exit 3 before the work began. */
export async function joinParts(town: Town, wish: JoinWish): Promise<Ultrapilot> {
  const { record } = requireUltrapilot(town);
  const lock = join(town.store.paths.locksDir, `ultrapilot.${record.run_id}.join.lock`);
  return withLongLock(lock, () => joinNow(town, wish), { waitMs: joinWaitMs });
}

async function joinNow(town: Town, wish: JoinWish): Promise<Ultrapilot> {
  const run = requireUltrapilot(town);
  const { plan, base } = run.state;
  if (plan === null || base === null) throw refused('the work has not begun', 'gastown ultrapilot start');
  const { parts } = run.state;
  const name = joinedName(run.record);
  const made = await ensureWorktree(town.root, name, { branch: `gastown/${name}`, base });
  if (made === null) throw refused('no worktree can be made here', 'nothing was joined');
  await refuseUnclean(made.path);
  const bases = [base, (await commitOf(town.root)) ?? base];
  const joined: JoinedPart[] = [];
  for (const part of parts) {
    const before = run.state.joined?.parts.find(({ agent }) => agent === part.agent) ?? null;
    joined.push(await joinPart(made.path, plan, part, bases, wish, before));
  }
  const commit = (await commitOf(made.path)) ?? base;
  const now: Joined = { branch: made.branch ?? 'a detached head', tree: made.path, commit, parts: joined };
  const changed = await changeRun(town, run, (state) => ({
    state: counted({ ...state, ...stageOf(state), joined: now }),
  }));
  return settle(town, changed, plan, now, wish);
}

/** While parts are still worked on, what is joined early changes nothing about the work. */
const stageOf = ({ parts }: { parts: readonly Part[] }): { stage: 'work' | 'join' } => ({
  stage: parts.every(isOver) ? 'join' : 'work',
});

async function settle(town: Town, run: Ultrapilot, plan: Plan, joined: Joined, { by }: JoinWish): Promise<Ultrapilot> {
  const { record } = run;
  const now = town.clock();
  const escalation = escalationOf(record.run_id);
  const merged = joined.parts.filter(({ result }) => result === 'merged').length;
  const message = `${merged} of ${joined.parts.length} parts are in ${joined.branch}`;
  tellJournal(town.store, record, 'ultrapilot.joined', `${message}${heldText(joined.parts)}`, by, now);
  if (joined.parts.every(isSettled)) {
    await dropGuards(town, record, plan);
    const isGone = await removeTree(town, joinedName(record));
    if (isGone) await changeRun(town, run, (state) => ({ state: { ...state, joined: { ...joined, tree: null } } }));
    const ended = await endJoint(
      town.store,
      record,
      { kind: 'done', why: `${message}; take it: git merge ${joined.branch}` },
      now,
    );
    if (town.store.escalations.read(escalation).kind === 'ok') await acknowledge(town, escalation);
    return ended === null ? run : { record: ended, state: stateOf(ended) };
  }
  if (run.state.stage === 'join') {
    await tellHeld(town, record, `${message}${heldText(joined.parts)}`);
  }
  return run;
}

/** A human hears of it once, until it is settled. */
export const tellHeld = (town: Town, { run_id, agent_id }: ModeRecord, what: string): Promise<boolean> =>
  openEscalation(town, {
    escalation_id: escalationOf(run_id),
    kind: 'mode_review',
    agent_id,
    bead_id: null,
    message: `ultrapilot of ${agent_id}: ${what}. See gastown ultrapilot; try again: gastown ultrapilot integrate`,
  });

const escalationOf = (runId: string): string => `mode-${runId}`;

/** Its branch has all of it; a tree with anything more in it stays. */
async function removeTree(town: Town, name: string): Promise<boolean> {
  try {
    return await removeWorktree(town.root, name, { running: false, keepBranch: true });
  } catch (error) {
    if (error instanceof GastownError) return false;
    throw error;
  }
}

async function refuseUnclean(tree: string): Promise<void> {
  const { unfinished, modified, inSubmodules } = await worktreeState(tree);
  if (unfinished !== null) {
    throw refused(
      `${unfinished} is not ended in ${tree}`,
      'end it there (git commit, or git merge --abort), then try again',
    );
  }
  const left = [...modified, ...inSubmodules];
  if (left.length > 0)
    throw refused(`${tree} has uncommitted changes: ${left.slice(0, 5).join(', ')}`, 'commit or discard them');
}

async function joinPart(
  into: string,
  plan: Plan,
  part: Part,
  bases: readonly string[],
  { accept = [], without = [] }: JoinWish,
  before: JoinedPart | null,
): Promise<JoinedPart> {
  const { agent, top, tree } = part;
  const nothing: JoinedPart = { agent, result: 'open', commit: null, conflicts: [], outside: [], left: [] };
  const isAsked = accept.includes(agent);
  if (without.includes(agent) || (before?.result === 'left_out' && !isAsked)) return { ...nothing, result: 'left_out' };
  if (part.status === 'failed' && !isAsked) return { ...nothing, result: 'failed' };
  if (part.status !== 'done' && part.status !== 'failed') return nothing;
  const commit = await commitOf(top);
  if (commit === null) throw refused(`the tree of ${agent} cannot be read: ${top}`, 'see git -C that folder status');
  const { unfinished, modified, untracked, inSubmodules } = await worktreeState(top);
  const left = [...modified, ...untracked.filter((path) => !isHandoff(path)), ...inSubmodules];
  const seen: JoinedPart = { ...nothing, commit, left };
  // In the middle of one, HEAD is not the agent's branch.
  if (unfinished !== null) return { ...seen, result: 'unfinished' };
  const changed = await changedFiles(tree, commit, bases);
  const outside = changed.flatMap((file) => {
    const owner = ownerOf(plan, file);
    return owner === agent ? [] : [{ file, owner }];
  });
  if (await isContained(into, commit, 'HEAD')) {
    const isKnown = before?.result === 'merged' && before.commit === commit;
    if (left.length > 0 && !isAsked && !isKnown) return { ...seen, outside, result: 'uncommitted' };
    return { ...seen, outside, result: changed.length === 0 && bases[0] === commit ? 'nothing' : 'merged' };
  }
  if (outside.length > 0 && !isAsked) return { ...seen, outside, result: 'outside' };
  if (left.length > 0 && !isAsked) return { ...seen, outside, result: 'uncommitted' };
  const merge = await mergeInto(into, commit, `Join the part of ${agent}: ${taskOf(plan, agent)}`);
  if (merge.kind === 'conflict') return { ...seen, outside, result: 'conflict', conflicts: merge.files };
  return { ...seen, outside, result: 'merged' };
}

/** What a session leaves to its successor is never a part. */
const isHandoff = (path: string): boolean => path === hookFile || path.startsWith(`${archiveFolder}/`);

const taskOf = (plan: Plan, agent: string): string =>
  (plan.workers.find((worker) => worker.agent === agent)?.task.split('\n')[0] ?? '').slice(0, 60);

/** Asked for by a human or an agent: what became of the beads meanwhile is looked at first. */
export async function joinOnWish(town: Town, wish: JoinWish): Promise<Ultrapilot> {
  const { record } = requireUltrapilot(town);
  await serveUltrapilot(town, record);
  return joinParts(town, wish);
}
