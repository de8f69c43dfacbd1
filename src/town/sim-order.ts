/** `gastown sim`: how a simulated agent is to behave from now on, for demos and tests. */
import { usage } from '../domain/errors.ts';
import { type SimBehaviour, type SimOrder, simOrder, simOrderSchema } from '../domain/sim.ts';
import { agentOf, type Town } from './context.ts';
import { note } from './note.ts';

/** The agent reads the order as soon as it is written, or when it starts. Exit 1 for an agent of another runtime. */
export async function orderSim(
  town: Town,
  agentId: string,
  behaviour: SimBehaviour,
  details: Partial<Pick<SimOrder, 'text' | 'count' | 'seconds'>>,
): Promise<SimOrder> {
  const { runtime } = agentOf(town, agentId);
  if (runtime !== 'sim') throw usage(`${agentId} is ${runtime}, not a simulated agent`, 'only sim agents take orders');
  const order = simOrder(behaviour, town.clock(), details);
  await town.store.record(`sim/${agentId}.json`, simOrderSchema).update(() => order);
  note(town, 'sim.ordered', `${agentId} was told to ${behaviour}`, { agent_id: agentId });
  return order;
}
