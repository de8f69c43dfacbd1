/** A human's word on the plan: every worker gets its tree on the same commit, is held to its files, and then its work. */
import { randomBytes } from 'node:crypto';
import type { AgentConfig } from '../../domain/config.ts';
import { conflict, refused } from '../../domain/errors.ts';
import { newBeadId } from '../../domain/ids.ts';
import { excludedBy } from '../../domain/mode/names.ts';
import type { Plan } from '../../domain/ultrapilot/plan-schema.ts';
import { counted, type Part } from '../../domain/ultrapilot/run.ts';
import { commitOf, fastForward, isContained } from '../../git/join-branches.ts';
import { worktreeState } from '../../git/worktree-state.ts';
import { ensureWorktree, whyNoWorktree } from '../../git/worktrees.ts';
import { requireReadable } from '../../store/record.ts';
import { agentOf, type Town } from '../context.ts';
import { modeRecordsOf, modeSessionOf } from '../modes/records.ts';
import { tellJournal } from '../modes/tell-journal.ts';
import { changeRun, requireUltrapilot, type Ultrapilot } from './run.ts';
import { serveUltrapilot } from './serve.ts';

/**
 * Everything is looked at before anything is done. Throws exit 3 without a plan, where a worker can have no tree of its own
 * or its tree holds work of before, exit 5 where one has other work. What is in a tree stays as it is.
 */
export async function beginWork(town: Town): Promise<Ultrapilot> {
  const run = requireUltrapilot(town);
  const { plan, problem, stage } = run.state;
  if (stage !== 'plan') throw conflict('the work has begun already', 'see gastown ultrapilot');
  if (plan === null) throw refused(`there is no plan to begin with: ${problem}`, 'gastown ultrapilot edit');
  for (const { agent } of plan.workers) refuseBusy(town, agentOf(town, agent), run);
  const { base, parts } = await readyTrees(town, plan);
  const begun = await changeRun(town, run, (state) => {
    if (state.stage !== 'plan') throw conflict('the work has begun already', 'see gastown ultrapilot');
    if (state.text !== run.state.text) throw conflict('the plan was changed meanwhile', 'look at it again');
    return { state: counted({ ...state, stage: 'work', base, parts }) };
  });
  const message = `the ultrapilot begins: ${parts.length} workers on ${base.slice(0, 12)}`;
  tellJournal(
    town.store,
    begun.record,
    'ultrapilot.begun',
    message,
    town.env['GT_AGENT_ID'] ?? 'operator',
    town.clock(),
  );
  await serveUltrapilot(town, begun.record);
  return requireUltrapilot(town);
}

function refuseBusy(town: Town, { agent_id: id, role }: AgentConfig, { record: joint }: Ultrapilot): void {
  if (role !== 'polecat' || town.config.worktrees === false) {
    const why = role === 'polecat' ? 'worktrees: false' : `the role ${role}`;
    throw refused(`${id} has no worktree of its own (${why}), so it cannot be a worker`, 'give its part to another');
  }
  const { store } = town;
  const hook = requireReadable(store.hooks.place(id), store.hooks.read(id));
  if (hook !== null && hook.status !== 'empty') {
    throw conflict(
      `the hook of ${id} is ${hook.status}: ${hook.work_item?.bead_id ?? ''}`,
      hook.status === 'completed' ? `once it is verified: gastown clear ${id}` : 'let it end first',
    );
  }
  const agent = requireReadable(store.agents.place(id), store.agents.read(id));
  const sessionId = agent && modeSessionOf(agent);
  const active = sessionId === null ? [] : modeRecordsOf(store, sessionId).filter((one) => one.active);
  const others = active.filter(({ linked_to }) => linked_to !== joint.run_id).map(({ mode }) => mode);
  const against = excludedBy('ultrapilot', others);
  if (against.length > 0) throw conflict(`${id} is in ${against.join(', ')}`, `end it: gastown mode cancel ${id}`);
}

/** All trees on the commit of the main checkout. Looked at first, moved second. */
async function readyTrees(town: Town, plan: Plan): Promise<{ base: string; parts: Part[] }> {
  const why = await whyNoWorktree(town.root);
  const base = why === null ? await commitOf(town.root) : null;
  if (base === null) throw refused(`no worktrees can be made here: ${why ?? 'no commit'}`, 'an ultrapilot needs them');
  const parts: Part[] = [];
  for (const { agent } of plan.workers) {
    const tree = await ensureWorktree(town.root, agent);
    if (tree === null) throw refused(`${agent} cannot have a worktree`, 'nothing was begun');
    await refuseUnclean(agent, tree.path, base);
    const bead_id = newBeadId(randomBytes(5));
    parts.push({ agent, bead_id, slung: false, status: 'waiting', tree: tree.cwd, top: tree.path });
  }
  for (const { top, agent } of parts) await fastForward(top, base, `the tree of ${agent} cannot be brought up to date`);
  return { base, parts };
}

async function refuseUnclean(agent: string, top: string, base: string): Promise<void> {
  const { modified, inSubmodules, unfinished } = await worktreeState(top);
  if (unfinished !== null) throw refused(`${unfinished} is not ended in the tree of ${agent}`, `end it in ${top}`);
  const left = [...modified, ...inSubmodules];
  if (left.length > 0) {
    const names = `${left.slice(0, 5).join(', ')}${left.length > 5 ? ', …' : ''}`;
    throw refused(`the tree of ${agent} has uncommitted changes: ${names}`, `commit or discard them in ${top}`);
  }
  const head = await commitOf(top);
  if (head === null || (await isContained(top, head, base))) return;
  throw refused(
    `the branch of ${agent} has commits that the main checkout has not, and they would come along`,
    `merge them, or in ${top}: git switch -C gastown/${agent} ${base.slice(0, 12)} (git keeps ${head.slice(0, 12)})`,
  );
}
