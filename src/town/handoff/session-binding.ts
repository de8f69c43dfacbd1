/**
 * Who may dissolve what (decision 15): a session of the town only in its own tree, and the handoff at the root only
 * crew and mayor. A shell without a session is the human's. Guards against accidents: an agent can unset a variable.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { isId } from '../../domain/ids.ts';
import { statePaths } from '../../store/paths.ts';
import { GateRefusal } from './refusal.ts';
import { sameInode } from './tree.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SessionBinding {
  agentId: string;
  stateDir: string;
  /** Distinguishes two runs of one agent; empty when the launcher did not say. */
  instanceId: string;
}

const keepers = new Set(['crew', 'mayor', 'human', '']);
/** Roles that never dissolve, not even where they stand. */
const neverRoles = new Set(['subagent', 'worker', 'narrow', 'narrow-task', 'reviewer']);

/**
 * Throws a refusal where `tree` is not this session's own or its role forbids it; null for a caller without a session.
 * GT_WORKTREE and GT_ROLE are honoured as well, for launchers other than the town.
 */
export function checkSession(tree: string, env: Environment): SessionBinding | null {
  const role = (env['GT_ROLE'] ?? '').toLowerCase();
  if (env['GT_SUBAGENT'] || neverRoles.has(role)) throw new GateRefusal('role');
  const exported = env['GT_WORKTREE'];
  if (exported && !sameInode(exported, tree)) throw new GateRefusal('session_tree');

  const agentId = env['GT_AGENT_ID'];
  if (!agentId) {
    if (!keepers.has(role) && !exported) throw new GateRefusal('role');
    return null;
  }
  const stateDir = env['GT_STATE_DIR'];
  if (!isId('agent', agentId) || !stateDir) throw new GateRefusal('session_unknown');
  const record = readAgent(statePaths(stateDir).agent(agentId));
  const root = townRoot(stateDir);
  if (!sameInode(record.worktree ?? root, tree)) throw new GateRefusal('session_tree');
  if (sameInode(root, tree) && !keepers.has(record.role)) throw new GateRefusal('role');
  return { agentId, stateDir, instanceId: env['GT_INSTANCE_ID'] ?? '' };
}

function readAgent(path: string): { role: string; worktree: string | null } {
  const record = readRecord(path);
  const [role, worktree] = [record?.['role'], record?.['worktree'] ?? null];
  if (typeof role === 'string' && (worktree === null || typeof worktree === 'string')) return { role, worktree };
  throw new GateRefusal('session_unknown');
}

function townRoot(stateDir: string): string {
  try {
    return dirname(dirname(realpathSync(stateDir)));
  } catch {
    throw new GateRefusal('session_unknown');
  }
}

/** What the town knows of this agent's session, for the text of its handoff; null where it does not. */
export function sessionFacts(env: Environment, agentId: string): { session_id: string | null; hook: string | null } {
  const paths = statePaths(env['GT_STATE_DIR'] ?? '');
  const agent = readRecord(paths.agent(agentId));
  const hook = readRecord(paths.hook(agentId));
  const item = hook?.['work_item'] as Record<string, unknown> | null | undefined;
  return {
    session_id: typeof agent?.['session_id'] === 'string' ? agent['session_id'] : null,
    hook: item ? `${String(item['bead_id'])} ${String(item['title'])} (${String(hook?.['status'])})` : null,
  };
}

function readRecord(path: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
