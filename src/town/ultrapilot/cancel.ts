/** Ending an ultrapilot at once: as every mode is cancelled, and nobody is held to any files. Branches, trees and hooks stay. */
import type { Part } from '../../domain/ultrapilot/run.ts';
import type { Town } from '../context.ts';
import { type Cancelled, cancelModes } from '../modes/cancel.ts';
import { dropGuards } from './guards.ts';
import { requireUltrapilot } from './run.ts';

/** `left`: parts that are still on hooks. Throws exit 3 where none runs. */
export async function cancelUltrapilot(town: Town): Promise<Cancelled & { left: Part[] }> {
  const { record, state } = requireUltrapilot(town);
  const by = town.env['GT_AGENT_ID'] ?? 'operator';
  const { agent_id: agentId, session_id: sessionId } = record;
  const done = await cancelModes(town.store, { agentId, sessionId, mode: 'ultrapilot', by }, town.clock());
  if (state.plan !== null) await dropGuards(town, record, state.plan);
  return { ...done, left: state.parts.filter(({ status }) => status === 'working') };
}
