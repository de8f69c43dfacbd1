/** Who is held to which files now: written before the work is given out, taken back with its part. */
import { join, relative } from 'node:path';
import { type KnownRuntime, knownRuntimes } from '../../domain/handlers/entry.ts';
import { slowWords } from '../../domain/handlers/in-force.ts';
import type { ModeRecord } from '../../domain/mode/record.ts';
import { type Guard, guardedTools } from '../../domain/ultrapilot/ownership.ts';
import type { Plan } from '../../domain/ultrapilot/plan-schema.ts';
import { isOver, type Part, setsFor } from '../../domain/ultrapilot/run.ts';
import type { Town } from '../context.ts';
import { changeSession } from '../events/sessions.ts';
import { forgetGuard, guardSlot } from '../handlers/file-guards.ts';
import { realPathOf } from '../handlers/real-path.ts';
import { writeState } from '../state.ts';
import { joinedName } from './run.ts';

/** Workers while their part is open, the coordinator to the end; all others of the plan are free. */
export async function keepGuards(town: Town, joint: ModeRecord, plan: Plan, parts: readonly Part[]): Promise<void> {
  const agents = new Set([plan.coordinator, ...parts.map(({ agent }) => agent)]);
  for (const agent of agents) {
    const isOpen = parts.some((part) => part.agent === agent && !isOver(part));
    if (isOpen || agent === plan.coordinator) await guard(town, guardOf(town, joint, plan, parts, agent));
    else await unguard(town, joint, agent);
  }
}

/** Nobody is held any more. */
export async function dropGuards(town: Town, joint: ModeRecord, plan: Plan): Promise<void> {
  for (const agent of new Set([plan.coordinator, ...plan.workers.map((worker) => worker.agent)]))
    await unguard(town, joint, agent);
}

const unguard = ({ store }: Town, { run_id }: ModeRecord, agent_id: string): Promise<boolean> =>
  forgetGuard(store, { run_id, agent_id });

async function guard({ store }: Town, next: Guard): Promise<void> {
  const { changed } = await writeState(store, guardSlot(store, next.agent_id), (current) =>
    JSON.stringify(current) === JSON.stringify(next) ? null : next,
  );
  if (!changed) return;
  const agent = store.agents.read(next.agent_id);
  const sessionId = agent.kind === 'ok' ? agent.value.session_id : null;
  // A turn that runs leaves the fast path now: its next tool is looked at.
  if (sessionId !== null && store.sessions.read(sessionId).kind === 'ok')
    await changeSession(store, sessionId, () => null, null);
}

function guardOf(town: Town, joint: ModeRecord, plan: Plan, parts: readonly Part[], agent: string): Guard {
  const runtime = town.agents.find(({ agent_id }) => agent_id === agent)?.runtime ?? '';
  const known: KnownRuntime = knownRuntimes.find((one) => one === runtime) ?? 'claude';
  return {
    run_id: joint.run_id,
    agent_id: agent,
    ...setsFor(plan, agent, parts),
    root: realPathOf(town.root, '/'),
    tree: realPathOf(treeOf(town, parts, agent), '/'),
    joined: joinedName(joint),
    // opencode's plugin has no word for its newer editing tools.
    slow: slowWords(known, [
      { kind: 'tool_start', tools: known === 'opencode' ? [...guardedTools, 'tool'] : guardedTools },
    ]),
  };
}

/** The town's folder where the agent works. */
function treeOf(town: Town, parts: readonly Part[], agent: string): string {
  const own = parts.find((part) => part.agent === agent);
  if (own !== undefined) return own.tree;
  const record = town.store.agents.read(agent);
  const top = record.kind === 'ok' ? record.value.worktree : null;
  const [other] = parts;
  return top === null ? town.root : join(top, other === undefined ? '' : relative(other.top, other.tree));
}
