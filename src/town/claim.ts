/**
 * Which agent a bead belongs to. The bead is claimed first and the hook set second, each under its lock, so that of two
 * slings one wins and the loser's bead is open again; a crash between the two is mended by `reopenStrayBeads`.
 */
import { randomUUID } from 'node:crypto';
import type { Bead } from '../domain/bead.ts';
import { conflict, GastownError, refused, usage } from '../domain/errors.ts';
import { parseId } from '../domain/ids.ts';
import { changeHook } from '../store/hooks.ts';
import { requireReadable } from '../store/record.ts';
import { agentOf, type Town } from './context.ts';
import { note } from './note.ts';

/** Puts an open bead on the agent's empty hook. Throws exit 5 when either is taken, exit 4 when either is corrupt. */
export async function claim(town: Town, beadId: string, agentId: string): Promise<Bead> {
  const { store } = town;
  const token = randomUUID();
  const claimed = await store.beads.update(parseId('bead', beadId), (bead) => {
    if (bead === null) throw usage(`no bead ${beadId}`, 'gastown bead list shows them');
    if (bead.status !== 'open') {
      const whose = bead.assignee === null ? '' : ` (${bead.assignee})`;
      throw conflict(`${beadId} is ${bead.status}${whose}, not open`, `to do it again: gastown bead reopen ${beadId}`);
    }
    const missing = unmetNeeds(town, bead);
    if (missing.length > 0) throw conflict(`${beadId} needs ${missing.join(', ')} done first`);
    return {
      ...bead,
      status: 'hooked',
      assignee: agentId,
      claim: token,
      claimed_at: new Date(town.clock()).toISOString(),
    };
  });
  const bead = claimed.value;
  if (bead === null) throw new Error('a claimed bead is never absent');
  try {
    const change = { op: 'set', bead_id: beadId, title: bead.title } as const;
    await changeHook(store, agentId, change, { kind: 'sling' }, town.clock());
  } catch (error) {
    await store.beads.update(beadId, (now) => (now?.['claim'] === token ? released(now) : null));
    throw error;
  }
  note(town, 'hook.set', `${beadId} is on the hook of ${agentId}`, { agent_id: agentId, bead_id: beadId });
  return bead;
}

/** Takes the work off a hook: completed by default, anything with `force`; then its bead is open again. */
export async function clearHook(town: Town, agentId: string, force: { reason: string } | null): Promise<string> {
  const { store } = town;
  const before = requireReadable(store.hooks.place(agentId), store.hooks.read(parseId('agent', agentId)));
  if (before === null) agentOf(town, agentId);
  const change = { op: 'clear', ...(force === null ? {} : { force }) } as const;
  const cleared = await changeHook(store, agentId, change, { kind: 'operator' }, town.clock());
  if (!cleared.changed) return `the hook of ${agentId} is empty already`;
  const beadId = before?.work_item?.bead_id ?? null;
  if (beadId !== null && before?.status !== 'completed') {
    await store.beads.update(beadId, (bead) => (bead?.assignee === agentId ? released(bead) : null));
  }
  const why = force === null ? 'completed and verified' : force.reason;
  note(town, 'hook.cleared', `the hook of ${agentId} is empty: ${why}`, {
    agent_id: agentId,
    ...(beadId === null ? {} : { bead_id: beadId }),
  });
  return `the hook of ${agentId} is empty${beadId === null ? '' : ` (was ${beadId})`}`;
}

/** Time a claim may take between its two writes. */
const claimGraceMs = 30_000;

/** Beads that are claimed by an agent whose hook does not hold them are open again: nothing is ever lost. */
export async function reopenStrayBeads(town: Town): Promise<string[]> {
  const { store } = town;
  const reopened: string[] = [];
  for (const [beadId, read] of store.beads.readAll()) {
    if (read.kind !== 'ok' || !isStray(town, read.value)) continue;
    const { changed } = await store.beads.update(beadId, (bead) =>
      bead && isStray(town, bead) ? released(bead) : null,
    );
    if (!changed) continue;
    reopened.push(beadId);
    note(town, 'bead.reopened', `${beadId} was claimed but is on no hook: open again`, { bead_id: beadId });
  }
  return reopened;
}

function isStray(town: Town, bead: Bead): boolean {
  if ((bead.status !== 'hooked' && bead.status !== 'in_progress') || bead.assignee === null) return false;
  const claimedAt = Date.parse(String(bead['claimed_at'] ?? bead.created_at));
  if (town.clock() - claimedAt < claimGraceMs * town.scale) return false;
  const hook = town.store.hooks.read(bead.assignee);
  if (hook.kind === 'absent') return true;
  return hook.kind === 'ok' && hook.value.work_item?.bead_id !== bead.bead_id;
}

/** Agents that may get new work, those that run first: polecats with an empty hook that nobody stopped or paused. */
export function idleAgents(town: Town, isRunning: (agentId: string) => boolean): string[] {
  const { store } = town;
  if (store.gates.read('town').kind === 'ok') return [];
  const idle = town.agents.filter(({ agent_id: id, role }) => {
    const hook = store.hooks.read(id);
    const isEmpty = hook.kind === 'absent' || (hook.kind === 'ok' && hook.value.status === 'empty');
    const record = store.agents.read(id);
    const isStopped = record.kind === 'ok' && record.value.stop_intent;
    return role === 'polecat' && isEmpty && !isStopped && store.gates.read(id).kind === 'absent';
  });
  const ids = idle.map((agent) => agent.agent_id);
  return [...ids.filter(isRunning), ...ids.filter((id) => !isRunning(id))];
}

/** Claims for the named agent, or for the first idle one that nobody else takes meanwhile (exit 3 when none is left). */
export async function claimForSomeone(
  town: Town,
  beadId: string,
  agentId: string | null,
  isRunning: (agentId: string) => boolean,
): Promise<{ bead: Bead; agent_id: string }> {
  if (agentId !== null) {
    agentOf(town, agentId);
    return { bead: await claim(town, beadId, agentId), agent_id: agentId };
  }
  for (const candidate of idleAgents(town, isRunning)) {
    try {
      return { bead: await claim(town, beadId, candidate), agent_id: candidate };
    } catch (error) {
      const isTaken = error instanceof GastownError && error.exit === 5;
      // Lost the hook to another sling: the next agent may still be free. Lost the bead: nothing to look for.
      if (!isTaken || !isOpen(town, beadId)) throw error;
    }
  }
  throw refused(`no idle agent for ${beadId}; it stays open`, 'gastown status shows who is busy');
}

const isOpen = (town: Town, beadId: string): boolean => {
  const bead = town.store.beads.read(beadId);
  return bead.kind === 'ok' && bead.value.status === 'open';
};

function unmetNeeds(town: Town, bead: Bead): string[] {
  return bead.needs.filter((id) => {
    const need = town.store.beads.read(id);
    return need.kind !== 'ok' || (need.value.status !== 'done' && need.value.status !== 'merged');
  });
}

function released(bead: Bead): Bead {
  const { claim: _claim, claimed_at: _at, ...rest } = bead;
  return { ...rest, status: 'open', assignee: null } as Bead;
}
