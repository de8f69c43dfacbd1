/** Gathers what a prime says of one agent, from the files. */

import { join } from 'node:path';
import { hookFile } from '../domain/handoff.ts';
import type { PrimeContext } from '../domain/prime.ts';
import { agentOf, type Town } from './context.ts';
import { armedIn } from './handoff/armed.ts';
import { isHandoffFor } from './handoff/inject.ts';

/** A corrupt hook is told as such, never as "no work". Throws a usage error for an agent that is not of this town. */
export function primeContext(town: Town, agentId: string, source: PrimeContext['source']): PrimeContext {
  const { store } = town;
  const agent = agentOf(town, agentId);
  const record = store.agents.read(agentId);
  const cwd = (record.kind === 'ok' ? record.value.worktree : null) ?? town.root;
  const read = store.hooks.read(agentId);
  const hook = read.kind === 'ok' ? read.value : read.kind === 'absent' ? null : ({ status: 'corrupt' } as const);
  const beadId = hook !== null && 'work_item' in hook ? (hook.work_item?.bead_id ?? null) : null;
  const bead = beadId === null ? null : store.beads.read(beadId);
  const ledger = beadId === null ? null : store.ledgers.read(beadId);
  const gates = [agentId, ...(beadId === null ? [] : [beadId]), 'town'].map((target) => store.gates.read(target));
  const gate = gates.find((one) => one.kind === 'ok');
  return {
    agent_id: agentId,
    role: agent.role,
    town: town.name,
    gt: join(town.binDir, 'gt'),
    cwd,
    branch: record.kind === 'ok' ? record.value.branch : null,
    hook,
    bead: bead?.kind === 'ok' ? bead.value : null,
    source,
    restarts: ledger?.kind === 'ok' ? ledger.value.restarts.filter((one) => one.outcome === 'done').length : 0,
    gate: gate?.kind === 'ok' ? gate.value : null,
    unreadMail: [...store.mail.list(agentId).values()].filter((mail) => mail.kind === 'ok' && !mail.value.read).length,
    handoff: isHandoffFor(cwd, agent.role) && armedIn(cwd, town.clock()).armed ? hookFile : null,
  };
}
