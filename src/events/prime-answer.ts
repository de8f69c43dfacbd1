/** What `prime-handler.ts` answers; apart from it, because it opens the whole town and most prompts need none of it. */
import { dirname } from 'node:path';
import { type PrimeContext, renderPrime } from '../domain/prime.ts';
import { toIso } from '../domain/time.ts';
import { eventLockWaitMs } from '../store/lock.ts';
import { openTown } from '../town/context.ts';
import { primeContext } from '../town/prime-context.ts';
import type { HandlerContext } from './handler.ts';

/** The prime as text, and on record that it was given. */
export async function primeAnswer(context: HandlerContext, source: PrimeContext['source']): Promise<string> {
  const env = { ...context.env, GT_STATE_DIR: context.stateDir };
  const town = await openTown({ cwd: dirname(dirname(context.stateDir)), env, clock: () => context.now });
  const text = renderPrime(primeContext(town, context.agent.agent_id, source));
  const at = toIso(context.now);
  await context.store.agents.update(context.agent.agent_id, (agent) => agent && { ...agent, primed_at: at }, {
    waitMs: eventLockWaitMs,
  });
  return text;
}
