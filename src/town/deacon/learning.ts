/** The learning loop as a service: proposals are kept, a human decides, accepting edits `gastown.yaml`. */
import { join } from 'node:path';
import { setInYaml } from '../../domain/config-edit.ts';
import { parseConfig } from '../../domain/config-parse.ts';
import { conflict, refused } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { type InForce, type Proposal, proposalSchema, propose } from '../../domain/learning.ts';
import { effectiveThresholds } from '../../domain/thresholds.ts';
import { parseTime, toIso } from '../../domain/time.ts';
import { runtimeOf } from '../../runtimes/registry.ts';
import { listNames } from '../../store/atomic-write.ts';
import type { Town } from '../context.ts';
import { note } from '../note.ts';
import { readSettings, writeSettings } from '../settings-file.ts';
import { summarizeFor } from './metrics.ts';
import { readSamples } from './samples.ts';

/**
 * All proposals: the open ones made anew from the samples, the decided ones as they were decided. After a change only
 * what was measured since then says something about that runtime.
 */
export async function proposals(town: Town): Promise<Proposal[]> {
  const kept = keptProposals(town);
  const changedAt = (runtime: string): number =>
    Math.max(0, ...kept.filter((one) => one.status === 'accepted' && one.runtime === runtime).map(decidedAt));
  const { samples } = readSamples(town, town.clock());
  const since = samples.filter((sample) => (parseTime(sample.at) ?? 0) > changedAt(sample.runtime));
  const found = propose(summarizeFor(town, since), (runtime) => inForce(town, runtime), town.clock());
  const decided = kept.filter((one) => one.status !== 'open');
  const open = found.filter((one) => !decided.some(({ proposal_id }) => proposal_id === one.proposal_id));
  for (const one of open) {
    await record(town, one.proposal_id).update((present) => ({
      ...one,
      created_at: present?.created_at ?? one.created_at,
    }));
  }
  return [...open, ...decided];
}

const decidedAt = (proposal: Proposal): number => parseTime(proposal.decided_at) ?? 0;

/** Writes the change into `gastown.yaml`, comments kept. Exit 3 when it would not take effect, exit 5 when decided. */
export async function acceptProposal(town: Town, proposalId: string): Promise<string> {
  const proposal = await openProposal(town, proposalId);
  const { runtime, setting, proposed, current } = proposal;
  if (setting !== null && proposed !== null) editConfig(town, runtime, setting, proposed);
  await decide(town, proposalId, 'accepted');
  const text =
    setting === null
      ? `${proposalId}: noted; ${proposal.reason}`
      : `gupp.runtimes.${runtime}.${setting}: ${current} → ${proposed} is in gastown.yaml`;
  note(town, 'learn.accepted', text);
  return text;
}

/** Nothing changes, and the same proposal does not come again. */
export async function rejectProposal(town: Town, proposalId: string): Promise<string> {
  await openProposal(town, proposalId);
  await decide(town, proposalId, 'rejected');
  note(town, 'learn.rejected', proposalId);
  return `${proposalId} is rejected and will not come again`;
}

function editConfig(town: Town, runtime: string, setting: string, proposed: string | number): void {
  const path = join(town.root, 'gastown.yaml');
  const text = readSettings(path);
  if (text === null) throw refused('there is no gastown.yaml to change', 'write one: gastown init');
  const edited = setInYaml(text, ['gupp', 'runtimes', runtime, setting], proposed);
  // Proof before anything is written: the whole file still holds, and the value is the one that will be in force.
  const { config } = parseConfig(edited, 'gastown.yaml');
  const present = inForce({ ...town, config }, runtime);
  const value = present?.[setting as keyof InForce];
  if (value !== proposed) {
    throw refused(
      `${setting} would be ${value} and not ${proposed}: another setting or range outranks it`,
      'see gastown doctor',
    );
  }
  writeSettings(path, edited);
}

/** What is in force for a runtime at the town's full pace; null for one that is not known (any more). */
function inForce(town: Pick<Town, 'config' | 'env'>, runtime: string): InForce | null {
  try {
    const { descriptor } = runtimeOf(runtime, town.config.runtimes);
    const { stallMs, nudgeMs } = effectiveThresholds({
      env: town.env,
      config: town.config,
      runtime: descriptor,
      timeScale: 1,
    });
    const configured = town.env['GT_GUPP_STRATEGY'] ?? town.config.gupp?.runtimes?.[runtime]?.strategy;
    return {
      stall_detection: stallMs / 1000,
      nudge_interval: nudgeMs / 1000,
      strategy: configured ?? descriptor.strategy,
      secondary: descriptor.fallback,
      idealSeconds: descriptor.idealResponseS,
    };
  } catch {
    return null;
  }
}

const folder = 'learning';
const record = (town: Town, id: string) =>
  town.store.record(`${folder}/${parseId('session', id)}.json`, proposalSchema);

function keptProposals(town: Town): Proposal[] {
  return listNames(join(town.stateDir, folder))
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .flatMap((name) => {
      const read = record(town, name.slice(0, -5)).read();
      return read.kind === 'ok' ? [read.value] : [];
    });
}

async function openProposal(town: Town, id: string): Promise<Proposal> {
  const found = (await proposals(town)).find(({ proposal_id }) => proposal_id === id);
  if (!found) throw refused(`there is no proposal ${JSON.stringify(id.slice(0, 80))}`, 'see gastown learn');
  if (found.status !== 'open') throw conflict(`${id} was ${found.status} already`, 'see gastown learn');
  return found;
}

async function decide(town: Town, id: string, status: 'accepted' | 'rejected'): Promise<void> {
  const decided_at = toIso(town.clock());
  const decided_by = town.env['GT_AGENT_ID'] ?? 'operator';
  await record(town, id).update((present) => present && { ...present, status, decided_at, decided_by });
}
