/**
 * What the town owes its agents between the patrols: the first words of a start once the runtime is ready, the fallback
 * of a start whose strategy stays silent (exactly once), nudges that had to wait, activity written into the hooks, and what
 * execution modes are owed.
 * Only the deacon calls it, so each of these has one owner.
 */

import { join } from 'node:path';
import { receiptText } from '../domain/delivery.ts';
import { primeLine } from '../domain/prime.ts';
import type { AgentRecord } from '../domain/records.ts';
import { parseTime, toIso } from '../domain/time.ts';
import { writeActivity } from '../store/hooks.ts';
import { reopenStrayBeads } from './claim.ts';
import { scaled, type Town } from './context.ts';
import { type AgentFacts, runtimeFor } from './facts.ts';
import type { ModeWork } from './modes/serve.ts';
import { note } from './note.ts';
import { deliverNudge, type } from './tell.ts';

/** One round over the agents; each is attended to by itself, and what goes wrong with one is told in the journal. */
export async function attend(town: Town, agents: readonly AgentFacts[], modeWork: ModeWork): Promise<void> {
  await reopenStrayBeads(town);
  await modeWork.serveJoint(town);
  await Promise.all(
    agents.map(async (facts) => {
      try {
        await attendOne(town, facts);
        await modeWork.serve(town, facts);
      } catch (error) {
        note(
          town,
          'attend.failed',
          `${facts.config.agent_id}: ${error instanceof Error ? error.message : String(error)}`,
          {
            agent_id: facts.config.agent_id,
            by: 'deacon',
          },
        );
      }
    }),
  );
}

async function attendOne(town: Town, facts: AgentFacts): Promise<void> {
  const { record, config, state, nudge } = facts;
  const id = config.agent_id;
  await writeActivity(town.store, id, town.clock());
  if (record === null || state.probe.answer !== 'yes' || state.probe.dead || state.gates.length > 0) return;
  if (record.ready_at === null && isReady(facts)) await mark(town, record, { ready_at: toIso(town.clock()) });
  if (needsWords(record)) return sayFirstWords(town, record);
  if (needsFallback(town, facts, record)) return fallBack(town, record);
  if (nudge?.delivery?.kind === 'queued' && isDue(town, nudge.delivery)) await deliverNudge(town, id, nudge);
}

const isReady = ({ state, record }: AgentFacts): boolean =>
  state.screen?.kind === 'ready' ||
  record?.first_event_at != null ||
  (state.hook.kind === 'ok' && state.hook.value.status === 'active');

const needsWords = (record: AgentRecord): record is AgentRecord & { start_text: string } =>
  record.start_text !== null && record.start_receipt === null;

/**
 * Typed at most once. "typing" is on record before the first key, so a deacon that dies in between never types it
 * again: the agent's silence then shows as a stall, which is the lesser evil.
 */
async function sayFirstWords(town: Town, record: AgentRecord & { start_text: string }): Promise<void> {
  if (!(await mark(town, record, { start_receipt: 'typing' }))) return;
  const receipt = await type(town, record.agent_id, record.start_text);
  // Nothing was typed yet: the next round may try again.
  const isUntouched = receipt.kind === 'queued';
  await mark(
    town,
    { ...record, start_receipt: 'typing' },
    {
      start_receipt: isUntouched ? null : receiptText(receipt),
      ...(isUntouched ? {} : { primed_at: toIso(town.clock()) }),
    },
  );
  if (!isUntouched) {
    note(town, 'delivery', `first words to ${record.agent_id} ${receiptText(receipt)}`, {
      agent_id: record.agent_id,
      by: 'deacon',
    });
  }
}

/** Work waits, the start's own way has shown no effect within its window, and the fallback was not used yet. */
function needsFallback(town: Town, { config, state }: AgentFacts, record: AgentRecord): boolean {
  const { descriptor } = runtimeFor(town, config);
  const startedAt = parseTime(record.started_at);
  if (descriptor.fallback === null || record.fallback_at !== null || startedAt === null) return false;
  if (state.hook.kind !== 'ok' || state.hook.value.status !== 'pending') return false;
  const isSilent = record.strategy === 'hook_injection' ? record.first_event_at === null : false;
  return isSilent && town.clock() - startedAt > scaled(town, descriptor.startWindowS);
}

/** Exactly one line of keystrokes (field reports 01 and 40), claimed on record before it is typed. */
async function fallBack(town: Town, record: AgentRecord): Promise<void> {
  if (!(await mark(town, record, { fallback_at: toIso(town.clock()) }))) return;
  const receipt = await type(town, record.agent_id, primeLine(join(town.binDir, 'gt')));
  if (receipt.kind === 'queued')
    await mark(town, { ...record, fallback_at: toIso(town.clock()) }, { fallback_at: null });
  note(
    town,
    'start.fallback',
    `${record.agent_id} gave no sign by ${record.strategy}: prime typed, ${receiptText(receipt)}`,
    {
      agent_id: record.agent_id,
      by: 'deacon',
    },
  );
}

/** Between two attempts to type what had to wait, in seconds: a human who types is not raced. */
const retrySeconds = 3;

const isDue = (town: Town, delivery: { at: string }): boolean =>
  town.clock() - (parseTime(delivery.at) ?? 0) >= scaled(town, retrySeconds);

/** Changes the record of this very run; false when another run has taken its place, or somebody was quicker. */
async function mark(town: Town, run: AgentRecord, fields: Partial<AgentRecord>): Promise<boolean> {
  const { changed } = await town.store.agents.update(run.agent_id, (now) => {
    if (now === null || now.instance_id !== run.instance_id || now.start_receipt !== run.start_receipt) return null;
    return { ...now, ...fields };
  });
  return changed;
}
