/** Sling: put a bead on an agent's hook, then start or tell the agent. The hook is on disk and read back first. */

import { join } from 'node:path';
import type { Bead } from '../domain/bead.ts';
import { type Receipt, receiptText } from '../domain/delivery.ts';
import { errorText, refused } from '../domain/errors.ts';
import { primeLine } from '../domain/prime.ts';
import { addBead } from './beads.ts';
import { claimForSomeone } from './claim.ts';
import type { Town } from './context.ts';
import { isDown, runningAgents } from './running.ts';
import { startAgent } from './start.ts';
import { tell } from './tell.ts';

/** How the agent came to know: typed with a receipt, started with the work, or not at all yet. */
export type Told = Receipt | { kind: 'started' | 'waiting'; text: string };

export interface Slung {
  bead: Bead;
  agent_id: string;
  told: Told;
}

/** Exactly one of `bead` (an id) and `title`. Without an agent the first idle one is taken (exit 3 when there is none). */
export async function sling(
  town: Town,
  request: { bead?: string; title?: string; agent?: string | null },
): Promise<Slung> {
  const running = await runningAgents(town);
  const beadId = request.bead ?? (await addBead(town, { title: request.title ?? '' })).bead_id;
  const { bead, agent_id: agentId } = await claimForSomeone(town, beadId, request.agent ?? null, (id) =>
    running.has(id),
  );
  return { bead, agent_id: agentId, told: await inform(town, bead, agentId, running.has(agentId)) };
}

/** The work is safe on the hook by now: whatever goes wrong here is told, and undoes nothing. */
async function inform(town: Town, bead: Bead, agentId: string, isRunning: boolean): Promise<Told> {
  if (await isDown(town)) return { kind: 'waiting', text: 'the town is down; the work waits on the hook' };
  try {
    if (isRunning) {
      const text = `There is work on your hook: ${bead.bead_id}. ${primeLine(join(town.binDir, 'gt'))}`;
      return await tell(town, agentId, {
        from: 'sling',
        type: 'priority_change',
        text,
        requires_response: false,
        bead_id: bead.bead_id,
      });
    }
    const started = await startAgent(town, agentId, 'fresh');
    return { kind: 'started', text: started.detail };
  } catch (error) {
    return { kind: 'failed', why: errorText(error) };
  }
}

/** For `sling --wait`: exit 3 unless the agent was told with proof or began by itself. */
export function toldText(told: Told): string {
  return 'text' in told ? told.text : receiptText(told);
}

export function requireTold(slung: Slung): void {
  if (slung.told.kind === 'verified' || slung.told.kind === 'started') return;
  throw refused(`${slung.bead.bead_id} is on the hook of ${slung.agent_id}, but: ${toldText(slung.told)}`);
}
