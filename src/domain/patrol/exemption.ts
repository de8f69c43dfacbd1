/** Who is left alone: GUPP stands below gates, the human and whatever the agent cannot help (decision 11, seed 001). */

import type { Standing } from '../agent-ledger.ts';
import { toIso } from '../time.ts';
import { type Draft, escalate, look, restartClock, verdict, wakeAt } from './draft.ts';
import type { Verdict } from './facts.ts';

/** Declarations by which an agent waits for somebody else; `idle` is none, that is the stall GUPP is about. */
const waiting = new Set(['asking', 'awaiting', 'parked']);

/** The verdict of an agent that GUPP does not apply to now, or null. Its end starts the stall clock anew. */
export function exemption(draft: Draft): Verdict | null {
  const { gate, declared, openTool } = draft.agent;
  const isWaiting = declared !== null && waiting.has(declared.status);
  if (gate || isWaiting) dropExpired(draft);
  // An open tool needs no floor: its end is activity.
  if (gate) return exempt(draft, 'gate', verdict(draft, 'paused', gateText(gate)));
  if (declared && isWaiting) {
    const detail = declared.note === null ? declared.status : `${declared.status}: ${declared.note}`;
    return exempt(draft, 'asking', verdict(draft, 'asking', detail));
  }
  // What nobody can see is neither over nor new; gates and declarations are on file and are minded all the same.
  if (draft.agent.process.kind === 'unknown') return null;
  const standing = standingOf(draft);
  if (standing) return standing.state === 'working' ? standing : exempt(draft, standing.state, standing);
  if (draft.ledger.exempt !== null) restartClock(draft);
  return openTool ? verdict(draft, 'working', 'a tool is running') : null;
}

/** A limit that ends behind a gate or a question is over, and stays so on a clock that is set back. */
function dropExpired(draft: Draft): void {
  const until = draft.ledger.standing?.until ?? null;
  if (until !== null && draft.now >= until) forget(draft);
}

function exempt(draft: Draft, why: string, said: Verdict): Verdict {
  if (draft.ledger.exempt !== why) draft.ledger = { ...draft.ledger, exempt: why };
  return said;
}

const gateText = (gate: { kind: string; reason: string }): string =>
  gate.reason === '' ? gate.kind : `${gate.kind}: ${gate.reason}`;

/**
 * A dialog or a usage limit, from the screen of a silent agent or from the runtime itself. Text is never read while the
 * agent moves, and what was read is forgotten once it does (field report 21).
 */
function standingOf(draft: Draft): Verdict | null {
  takeReading(draft);
  const { standing } = draft.ledger;
  if (standing === null) return null;
  const { activityAt } = draft.clock;
  if (activityAt !== null && activityAt > standing.at) return forget(draft);
  if (standing.kind === 'limited') escalateLimit(draft, standing);
  if (standing.kind === 'limited' && standing.until !== null) {
    if (draft.now >= standing.until) return resumeAfterLimit(draft, standing);
    wakeAt(draft, standing.until);
    return verdict(draft, 'limited', standing.detail, { until: standing.until });
  }
  const lookAt = standing.at + draft.town.pace.relookMs;
  if (draft.now < lookAt) wakeAt(draft, lookAt);
  else look(draft);
  return verdict(draft, standing.kind, standing.detail);
}

function takeReading(draft: Draft): void {
  const { screen, limit } = draft.agent;
  const { activityAt } = draft.clock;
  const known = draft.ledger.standing;
  if (limit && (activityAt === null || limit.at >= activityAt) && (limit.until === null || limit.until > draft.now)) {
    if (known?.kind !== 'limited' || known.until !== limit.until) stand(draft, 'limited', limit.line, limit.until);
  } else if (screen?.kind === 'limited') {
    // A banner whose time is over is an old one.
    if (screen.until === null || screen.until > draft.now) stand(draft, 'limited', screen.line, screen.until);
    else if (known?.kind === 'dialog') draft.ledger = { ...draft.ledger, standing: null };
  } else if (screen?.kind === 'dialog') {
    stand(draft, 'dialog', `${screen.dialog}: ${screen.hint}`, null);
  } else if (screen && (screen.kind === 'ready' || screen.kind === 'busy') && known && known.until === null) {
    draft.ledger = { ...draft.ledger, standing: null };
  }
}

function stand(draft: Draft, kind: Standing['kind'], detail: string, until: number | null): void {
  const known = draft.ledger.standing;
  const same = known?.kind === kind && known.until === until;
  const standing = { kind, detail, until, since: same ? known.since : draft.now, at: draft.now };
  draft.ledger = { ...draft.ledger, standing };
}

/** One limit of one account stops every agent of that runtime: one escalation for all of them. */
function escalateLimit(draft: Draft, { until, since, detail }: Standing): void {
  const { agent_id, runtime } = draft.agent;
  const escalation_id = until === null ? `limit-${agent_id}-${since}` : `limit-${runtime}-${until}`;
  if (draft.agent.escalations.includes(escalation_id)) return;
  const end = until === null ? 'it does not say until when' : `until ${toIso(until)}`;
  const reason = `${agent_id} is at a usage limit of ${runtime}, ${end}: no nudge, no restart`;
  const message = `USAGE_LIMIT: ${reason}. ${detail}`;
  escalate(draft, { escalation_id, kind: 'limited', agent_id, bead_id: null, message }, reason);
}

function forget(draft: Draft): null {
  draft.ledger = { ...draft.ledger, standing: null };
  return null;
}

/** The limit is over. The patrol lets one agent after the other through; this one was chosen, or waits its turn. */
function resumeAfterLimit(draft: Draft, standing: Standing): Verdict | null {
  const { agent, now } = draft;
  const turnAt = draft.town.resumeAt ?? 0;
  if (now < turnAt) {
    wakeAt(draft, turnAt);
    return verdict(draft, 'limited', 'the limit is over; waits its turn', { until: turnAt });
  }
  const idle = agent.hook.kind !== 'work' || agent.hook.status === 'completed' || agent.process.kind !== 'alive';
  if (!idle && !look(draft)) return verdict(draft, 'limited', 'the limit is over; looking at the screen');
  draft.ledger = { ...draft.ledger, standing: null, resumedAt: idle ? draft.ledger.resumedAt : now };
  restartClock(draft);
  if (agent.hook.kind !== 'work' || idle) return null;
  wakeAt(draft, now + agent.thresholds.stallMs + 1);
  draft.effects.push({
    kind: 'nudge',
    nudge_id: `n-${agent.agent_id}-limit-${standing.at}`,
    type: 'sync_request',
    message: `The usage limit is over. ${agent.hook.bead_id} is still on your hook: go on with it now.`,
    agent_id: agent.agent_id,
    bead_id: agent.hook.bead_id,
    reason: `the usage limit of ${agent.agent_id} is over`,
  });
  return verdict(draft, 'working', 'resumed after a usage limit');
}
