/** The programs of the configured agents: are they there, in which version, and do their events arrive? */
import { findBinary, versionOf } from '../../runtimes/find-binary.ts';
import { runtimeOf } from '../../runtimes/registry.ts';
import type { Town } from '../context.ts';
import { fireCanary } from '../events/canary.ts';
import { readTrouble } from '../events/trouble.ts';
import { type Check, check } from './check.ts';

export async function runtimeChecks(town: Town): Promise<Check[]> {
  const ids = [...new Set(town.agents.map((agent) => agent.runtime))];
  const programs = await Promise.all(ids.map((id) => programCheck(town, id)));
  const canaries = await Promise.all(ids.map((id) => canaryCheck(town, id)));
  return [...programs, ...canaries.flat(), ...town.agents.flatMap((agent) => eventsCheck(town, agent.agent_id))];
}

/** One event of each runtime, through the command line that is installed for it. */
async function canaryCheck(town: Town, id: string): Promise<Check[]> {
  const agent = town.agents.find(({ runtime }) => runtime === id);
  if (agent === undefined) return [];
  const { arrived, command, why } = await fireCanary(town, agent.agent_id);
  if (command === null) return [];
  if (arrived) return [check('runtimes', `${id} events`, 'ok', 'a canary arrived')];
  return [check('runtimes', `${id} events`, 'warn', `a canary did not arrive: ${why}`, `gastown events verify ${id}`)];
}

async function programCheck(town: Town, id: string): Promise<Check> {
  const { descriptor } = runtimeOf(id, town.config.runtimes);
  if (id === 'sim') return check('runtimes', id, 'ok', `${descriptor.label}, part of gastown`);
  const program = await findBinary(descriptor.command, town.env['PATH'] ?? '', town.root);
  if (program === null) {
    const text = `${descriptor.label}: no program "${descriptor.command}" on PATH`;
    return check('runtimes', id, 'fail', text, 'install it, or change the runtime in gastown.yaml');
  }
  return check(
    'runtimes',
    id,
    'ok',
    `${descriptor.label} ${(await versionOf(program)) ?? '(no version told)'} at ${program}`,
  );
}

/** An event never fails its runtime; what went wrong in it is counted beside the heartbeat and shows here. */
function eventsCheck(town: Town, agentId: string): Check[] {
  const trouble = readTrouble(town.store.paths, agentId);
  if (trouble === null) return [];
  const text = `${agentId}: ${trouble.count} events failed, the last: ${trouble.last}`;
  return [check('runtimes', `${agentId} events`, 'warn', text, 'gastown events verify')];
}
