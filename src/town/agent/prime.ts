/** `gt prime`: tells the agent who it is and what is on its hook, and records that it was told. */
import { GastownError } from '../../domain/errors.ts';
import { type PrimeContext, renderPrime } from '../../domain/prime.ts';
import { toIso } from '../../domain/time.ts';
import type { Town } from '../context.ts';
import { primeContext } from '../prime-context.ts';
import { callerOf } from './caller.ts';

export type PrimeSource = PrimeContext['source'];
export const primeSources = ['startup', 'resume', 'clear', 'compact'] as const satisfies readonly PrimeSource[];

/** Null outside an agent's pane: then nothing is printed. Throws exit 3 for a pane that is not of this town. */
export async function prime(town: Town, source: PrimeSource): Promise<string | null> {
  if (!town.env['GT_AGENT_ID']) return null;
  const { agent } = await callerOf(town);
  const text = renderPrime(primeContext(town, agent.agent_id, source));
  await recordPrime(town, agent.agent_id);
  return text;
}

/** The stall clock starts anew at a prime (decision 3). An agent is told its work even where this cannot be written. */
async function recordPrime(town: Town, agentId: string): Promise<void> {
  try {
    await town.store.agents.update(
      agentId,
      (record) => (record === null ? null : { ...record, primed_at: toIso(town.clock()) }),
      { waitMs: 500 },
    );
  } catch (error) {
    if (!(error instanceof GastownError)) throw error;
  }
}
