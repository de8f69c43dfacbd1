/**
 * Text to an agent: kept as its latest nudge (latest wins, seed 001), then typed into its pane where that is safe. What
 * could not be typed yet stays queued with its reason and is tried again by the deacon.
 */
import { randomBytes } from 'node:crypto';
import type { DeliveryProfile, Receipt } from '../domain/delivery.ts';
import { receiptText } from '../domain/delivery.ts';
import { refused } from '../domain/errors.ts';
import type { AgentRecord, Nudge } from '../domain/records.ts';
import { toIso } from '../domain/time.ts';
import { runtimeOf } from '../runtimes/registry.ts';
import { deliver } from '../tmux/deliver.ts';
import { agentOf, type Town } from './context.ts';
import { promptSeen } from './events/prompt-proof.ts';
import { note } from './note.ts';
import { rememberTyped } from './typed.ts';

export interface Message {
  from: string;
  type: Nudge['type'];
  text: string;
  requires_response: boolean;
  bead_id: string | null;
}

/** Records the nudge, tries to type it once, and answers what that came to. A nudge is never moved to a successor. */
export async function tell(town: Town, agentId: string, message: Message): Promise<Receipt> {
  agentOf(town, agentId);
  const nudge: Nudge = {
    nudge_id: `n-${randomBytes(5).toString('hex')}`,
    from: message.from,
    type: message.type,
    message: message.text,
    timestamp: toIso(town.clock()),
    requires_response: message.requires_response,
    bead_id: message.bead_id,
  };
  await town.store.nudge(agentId).update(() => nudge);
  return deliverNudge(town, agentId, nudge);
}

/** One attempt to type a nudge that is not yet delivered; its outcome is kept in the nudge's own record. */
export async function deliverNudge(town: Town, agentId: string, nudge: Nudge): Promise<Receipt> {
  const receipt = await type(town, agentId, nudge.message);
  await town.store.nudge(agentId).update((latest) =>
    latest?.nudge_id !== nudge.nudge_id
      ? null
      : {
          ...latest,
          delivery: {
            kind: receipt.kind,
            why: receipt.kind === 'verified' ? receipt.proof : receipt.why,
            at: toIso(town.clock()),
            attempts: (latest.delivery?.attempts ?? 0) + 1,
          },
        },
  );
  const about = { agent_id: agentId, by: nudge.from, ...(nudge.bead_id === null ? {} : { bead_id: nudge.bead_id }) };
  const repeated = receipt.kind === 'queued' && nudge.delivery?.kind === 'queued' && nudge.delivery.why === receipt.why;
  if (!repeated) note(town, 'delivery', `${nudge.type} to ${agentId} ${receiptText(receipt)}`, about);
  return receipt;
}

/** Types text into the pane of the agent's present run. The only way by which text reaches an agent. */
export async function type(town: Town, agentId: string, text: string): Promise<Receipt> {
  const read = town.store.agents.read(agentId);
  const record = read.kind === 'ok' ? read.value : null;
  if (record?.pane_id == null || record.pid === null) return { kind: 'queued', why: `${agentId} is not running` };
  const since = town.clock();
  rememberTyped(town.store.paths, agentId, text, since);
  const target = { pane_id: record.pane_id, expectedPid: record.pid };
  return deliver(town.tmux, target, text, profileOf(town, record), {
    lockDir: town.store.paths.locksDir,
    scale: town.scale,
    proof: async () => promptSeen(town.store.paths, agentId, since) !== null,
  });
}

export function profileOf(town: Town, record: Pick<AgentRecord, 'runtime'>): DeliveryProfile {
  const { descriptor } = runtimeOf(record.runtime, town.config.runtimes);
  return { screen: descriptor.screen, submit: descriptor.submit };
}

/** A command's exit for a receipt: only proof is success (exit 3 otherwise). */
export function requireVerified(agentId: string, receipt: Receipt): void {
  if (receipt.kind === 'verified') return;
  if (receipt.kind === 'queued')
    throw refused(`not delivered to ${agentId} yet: ${receipt.why}`, 'it stays queued; the deacon tries again');
  throw refused(`${agentId}: ${receiptText(receipt)}`, `look at its pane: gastown peek ${agentId}`);
}
