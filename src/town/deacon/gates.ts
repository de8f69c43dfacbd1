/**
 * Gates: a human's "wait" above GUPP (decision 11), for an agent, a bead or the town. The emergency stop is a gate of
 * the town that also stops the agents' own processes, under their runner.
 */
import { conflict, usage } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { AgentRecord, Gate } from '../../domain/records.ts';
import { cleanLine } from '../../domain/text.ts';
import { toIso } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';
import { signalRuns } from './signal-runs.ts';

/** `target`: an agent, a bead, or `town`. Answers one line; a gate that is open already stays as it is. */
export async function pause(
  town: Town,
  target: string,
  reason: string,
  kind: Gate['kind'] = 'paused',
): Promise<string> {
  requireTarget(town, target);
  const text = cleanLine(reason).slice(0, 500);
  const gate: Gate = { kind, reason: text, opened_at: toIso(town.clock()), by: town.env['GT_AGENT_ID'] ?? 'operator' };
  const { changed, value } = await town.store.gates.update(target, (open) => (open === null ? gate : null));
  if (!changed) return `${target} is paused already (${value?.kind ?? kind}: ${value?.reason ?? ''})`;
  note(town, 'gate.opened', `${target}: ${kind}${text === '' ? '' : `, ${text}`}`, about(town, target));
  return `${target} is paused: no nudge and no restart until gastown resume${target === 'town' ? '' : ` ${target}`}`;
}

/** Closes the gate. Exit 5 for an emergency stop, which `thaw` ends. */
export async function resume(town: Town, target: string): Promise<string> {
  requireTarget(town, target);
  const open = town.store.gates.read(target);
  if (open.kind === 'absent') return `${target} is not paused`;
  if (open.kind === 'ok' && open.value.kind === 'estop')
    throw conflict('the town is in an emergency stop', 'gastown thaw');
  await town.store.gates.remove(target);
  note(town, 'gate.closed', `${target} goes on`, about(town, target));
  return `${target} goes on`;
}

/** Stops every agent's own processes where they are; nothing is ended, and `thaw` lets them go on. */
export async function estop(town: Town, reason: string): Promise<string> {
  // The gate first: nothing may take a stopped agent for a stalled one.
  await town.store.gates.update(
    'town',
    (): Gate => ({
      kind: 'estop',
      reason: cleanLine(reason).slice(0, 500),
      opened_at: toIso(town.clock()),
      by: town.env['GT_AGENT_ID'] ?? 'operator',
    }),
  );
  const stopped = await signalRuns(runsOf(town), 'SIGSTOP');
  note(town, 'estop', `emergency stop: ${stopped.length} agents stand still. ${reason}`);
  return `${stopped.length} agents stand still; gastown thaw lets them go on`;
}

/** Ends the emergency stop: the processes go on, then the gate closes. */
export async function thaw(town: Town): Promise<string> {
  const open = town.store.gates.read('town');
  const going = await signalRuns(runsOf(town), 'SIGCONT');
  if (open.kind === 'ok' && open.value.kind === 'estop') await town.store.gates.remove('town');
  note(town, 'thaw', `the emergency stop is over: ${going.length} agents go on`);
  return `${going.length} agents go on`;
}

function runsOf(town: Town): AgentRecord[] {
  return town.agents.flatMap(({ agent_id }) => {
    const read = town.store.agents.read(agent_id);
    return read.kind === 'ok' ? [read.value] : [];
  });
}

function requireTarget(town: Town, target: string): void {
  const shown = JSON.stringify(target.slice(0, 60));
  if (target === 'town' || isAgent(town, target)) return;
  if (isId('bead', target) && town.store.beads.read(target).kind === 'ok') return;
  throw usage(`not an agent, a bead or "town": ${shown}`, 'see gastown status');
}

const isAgent = (town: Town, target: string): boolean => town.agents.some((agent) => agent.agent_id === target);

const about = (town: Town, target: string) =>
  target === 'town' ? {} : isAgent(town, target) ? { agent_id: target } : { bead_id: target };
