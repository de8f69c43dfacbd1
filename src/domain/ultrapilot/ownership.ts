/**
 * Whose a file is for one agent of an ultrapilot, before it writes there (seed 004: exclusive file sets). Pure, and small:
 * an event loads this.
 */
import { type ToolKind, toolKindOf } from '../handlers/tools.ts';
import { below } from '../handlers/write-policy.ts';
import { hookFile } from '../handoff.ts';
import { ownerOf, type Workers, workerOf } from './file-sets.ts';

/** What holds one agent to the plan while it runs: `handlers/ultrapilot/<agent>.json`. Paths are absolute and real. */
export interface Guard extends Workers {
  run_id: string;
  agent_id: string;
  /** The town's folder, in the main checkout and in this agent's own tree. The same for one that works in the main checkout. */
  root: string;
  tree: string;
  /** Name of the tree below `.chipset/worktrees` where the parts are put together. */
  joined: string;
  /** Tool events that must leave the shell's fast path for it, as its runtime calls them. */
  slow: readonly string[];
}

export interface NotOwn {
  /** The file as the plan names it. */
  file: string;
  owner: string;
  why: string;
  /** It is in nobody's set: no worker needs it for its own part. */
  shared: boolean;
}

/** Null where the agent may write: its own files in its own tree, and whatever lies outside of the town. */
export function whyNotOwn(guard: Guard, path: string): NotOwn | null {
  const { agent_id: me, root, tree, coordinator } = guard;
  const inTown = below(root, path);
  const other = inTown === null ? null : /^\.chipset\/worktrees\/([^/]+)(?:\/(.*))?$/is.exec(inTown);
  const inTree = below(tree, path);
  if (inTree !== null && (tree !== root || other === null)) return inTree === hookFile ? null : ofPlan(guard, inTree);
  if (inTown === null) return null;
  if (other !== null) {
    const [, name = '', file = ''] = other;
    if (name === guard.joined && me === coordinator) return null;
    if (name === guard.joined) return not(inTown, coordinator, 'the parts are put together there');
    if (name === me) return ofPlan(guard, '..');
    return not(file === '' ? inTown : file, name, `it is in the tree of ${name}`);
  }
  // The town's own: `gt` writes that, and another handler keeps everybody from it.
  if (/^\.chipset(\/|$)/i.test(inTown)) return null;
  const owner = ownerOf(guard, inTown);
  if (owner !== me) return ofPlan(guard, inTown);
  if (me === coordinator) return null;
  return not(inTown, mainCheckout, `yours is ${tree}/${inTown}`);
}

function ofPlan(guard: Guard, file: string): NotOwn | null {
  const worker = workerOf(guard.workers, file);
  const owner = worker ?? guard.coordinator;
  if (owner === guard.agent_id) return null;
  if (worker === null) return { ...not(file, owner, 'it is in no set of the plan'), shared: true };
  return not(file, owner, 'it is in its set of the plan');
}

const not = (file: string, owner: string, why: string): NotOwn => ({ file, owner, why, shared: false });
const mainCheckout = 'the main checkout';

/** What the agent is told instead of its write. */
export function notOwnText(guard: Guard, { file, owner, why }: NotOwn, gt: string): string {
  const own = guard.workers.find(({ agent }) => agent === guard.agent_id)?.files;
  const isAgent = owner !== mainCheckout;
  const yours = own === undefined ? 'the files that are in no set' : own.join(' ');
  const ask = isAgent ? ` What should change there: ${gt} mail send ${owner} "…".` : '';
  return `[gastown mode: ultrapilot] ${file} belongs to ${owner}, not to ${guard.agent_id}: ${why}. Yours: ${yours}.${ask}`;
}

/** Tools whose events are looked at for it. */
export const guardedTools: readonly ToolKind[] = ['Edit', 'Bash'];

export const isGuardedTool = (name: string): boolean => guardedTools.includes(toolKindOf(name));
