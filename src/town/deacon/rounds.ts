/**
 * The deacon's rounds: read what changed, let the patrol judge, carry out what it says. Files are read again where the
 * watcher hints; a round in which nothing changed reads nothing. Slow effects run beside, one at a time for an agent.
 */

import type { Effect, Judgement, AgentFacts as PatrolAgent, PatrolFacts, Verdict } from '../../domain/patrol/facts.ts';
import { patrol } from '../../domain/patrol.ts';
import type { ScreenReading } from '../../domain/screen.ts';
import { parseTime } from '../../domain/time.ts';
import { followJournal } from '../../store/journal.ts';
import { attend } from '../attend.ts';
import { scaled, type Town } from '../context.ts';
import { type AgentFacts, gatherFacts, paceOf } from '../facts.ts';
import { modeSessionOf } from '../modes/records.ts';
import { needsService, openModeWork } from '../modes/serve.ts';
import { note } from '../note.ts';
import { readScreens } from '../screens.ts';
import { carryOut, Declined, noteTrouble, saveIntention } from './carry-out.ts';
import type { ClockWatch } from './clock-watch.ts';
import { watchLogs } from './logged-limits.ts';
import { type Memory, patrolAgent, readMemory } from './patrol-facts.ts';
import { isNews, type Look, lookAround } from './surroundings.ts';
import type { Touched } from './touched.ts';

/** Restarts and starts that may run at the same time: a mass death is not answered by a storm. */
const restartsAtOnce = 2;
/** Where nobody is owed anything, what belongs to no agent is still looked after now and then. */
const attendSeconds = 30;
/** After an effect that failed or was declined, its agent is left alone for so long. */
const troubleSeconds = 10;

interface Known {
  facts: AgentFacts;
  memory: Memory;
}

export interface Rounds {
  /** A file has changed; false where it concerns nobody. */
  touch(touched: Touched): boolean;
  /** Another town than before: its configuration was read again. */
  reconfigure(town: Town): void;
  /** One round at the present time. Answers when the next is due at the latest (ms), or null. */
  round(): Promise<number | null>;
  /** Resolves when no effect is being carried out any more. */
  settled(): Promise<void>;
  /** The same, and ends the commands of modes that run. */
  close(): Promise<void>;
  /** The last verdicts, by agent. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly server: Look['server'];
}

/** `onNews`: something of the deacon's own doing has finished; a round is due. */
export async function openRounds(first: Town, clock: ClockWatch, onNews: () => void): Promise<Rounds> {
  let town = first;
  let around = await lookAround(town);
  const known = new Map<string, Known>();
  const dirty = new Set<string>(town.agents.map((agent) => agent.agent_id));
  const busy = new Map<string, Promise<void>>();
  const restUntil = new Map<string, number>();
  const verdicts = new Map<string, Verdict>();
  let restarting = 0;
  let attendedAt = 0;
  /** Until then (ms) nothing that the patrol said last can change by itself. */
  let quietUntil = Number.NEGATIVE_INFINITY;
  let escalations: readonly string[] = [];
  const modeWork = openModeWork();
  const readLogs = watchLogs();
  const journal = followJournal(town.store.paths);
  const begun = new Map<string, number>();
  const learnBegun = (entries: ReturnType<typeof journal.read>['entries']): void => {
    for (const { kind, agent_id, bead_id, at } of entries) {
      if (kind === 'hook.active' && agent_id && bead_id) begun.set(`${agent_id} ${bead_id}`, parseTime(at) ?? 0);
    }
  };
  learnBegun(town.store.journal.tail(500).entries);

  const reread = (): void => {
    if (dirty.size > 0) learnBegun(journal.read().entries);
    if (dirty.size > 0) escalations = town.store.escalations.list();
    for (const config of town.agents) {
      const id = config.agent_id;
      if (!dirty.has(id) && known.has(id)) continue;
      const facts = gatherFacts(town, config, around);
      const hook = facts.state.hook.kind === 'ok' ? facts.state.hook.value : null;
      known.set(id, { facts, memory: readMemory(town, id, hook?.work_item?.bead_id ?? null) });
    }
    dirty.clear();
  };

  const factsOf = ({ facts, memory }: Known, screen: ScreenReading | null): PatrolAgent => {
    const id = facts.config.agent_id;
    const bead = facts.state.hook.kind === 'ok' ? (facts.state.hook.value.work_item?.bead_id ?? '') : '';
    const isResting = (restUntil.get(id) ?? 0) > town.clock();
    return patrolAgent(town, facts, memory, {
      serverOk: around.server === 'ok',
      screen,
      busy: busy.has(id) || isResting,
      begunAt: begun.get(`${id} ${bead}`) ?? null,
      escalations,
    });
  };

  const judge = (agents: readonly PatrolAgent[], jumpMs: number | null) => {
    const facts: PatrolFacts = {
      agents,
      pace: paceOf(town),
      floorAt: clock.floorAt,
      seenSince: clock.seenSince,
      clockJumpMs: jumpMs,
      brake: restartsAtOnce - restarting,
    };
    return patrol(facts, town.clock());
  };

  /** Judges all; those of whom the screen must be known are judged once more with it. */
  const judgeAll = async (jumpMs: number | null) => {
    const agents = town.agents.flatMap(({ agent_id }) => known.get(agent_id) ?? []);
    const blind = agents.map((one) => factsOf(one, null));
    const first = judge(blind, jumpMs);
    const judged = first.judgements.map((judgement, index) => ({ agent: blind[index], judgement }));
    const wanted = first.judgements.filter(wantsLook).map(({ verdict }) => verdict.agent_id);
    let next = first.nextDeadline;
    if (wanted.length > 0) {
      const screens = await readScreens(town, around.panes, wanted);
      const seeing = agents
        .filter(({ facts }) => wanted.includes(facts.config.agent_id))
        .map((one) => factsOf(one, screens.get(one.facts.config.agent_id) ?? { kind: 'unknown' }));
      const second = judge(seeing, null);
      for (const [index, judgement] of second.judgements.entries()) {
        const at = judged.findIndex((one) => one.judgement.verdict.agent_id === judgement.verdict.agent_id);
        judged[at] = { agent: seeing[index], judgement };
      }
      next = earliest(next, second.nextDeadline);
    }
    return { judged, notices: first.notices, next };
  };

  const start = (agent: PatrolAgent, judgement: Judgement): void => {
    const id = agent.agent_id;
    const work = act(agent, judgement).finally(() => {
      busy.delete(id);
      dirty.add(id);
      onNews();
    });
    busy.set(id, work);
  };

  const act = async (agent: PatrolAgent, judgement: Judgement): Promise<void> => {
    const restarts = judgement.effects.filter((one) => one.kind === 'restart' || one.kind === 'start').length;
    restarting += restarts;
    try {
      if (!(await saveIntention(town, agent, judgement))) return;
      for (const effect of judgement.effects) if (effect.kind !== 'look') await carryOut(town, effect);
    } catch (error) {
      restUntil.set(agent.agent_id, town.clock() + Math.max(scaled(town, troubleSeconds), 1_000));
      if (!(error instanceof Declined)) noteTrouble(town, agent.agent_id, error);
    } finally {
      restarting -= restarts;
    }
  };

  /** Readiness, first words, fallback, waiting nudges, activity: before the patrol judges by them. */
  const attendTo = async (): Promise<void> => {
    if (around.server !== 'ok') return;
    const free = [...known.values()].map(({ facts }) => facts).filter((facts) => !busy.has(facts.config.agent_id));
    await readLogs(town, free);
    const needy = free.filter(needsAttention);
    if (needy.length === 0 && town.clock() - attendedAt < scaled(town, attendSeconds)) return;
    attendedAt = town.clock();
    const starting = needy.filter(({ record }) => record?.ready_at === null).map(({ config }) => config.agent_id);
    const screens = await readScreens(town, around.panes, starting);
    const withScreen = (facts: AgentFacts): AgentFacts => {
      const screen = screens.get(facts.config.agent_id);
      return screen === undefined ? facts : { ...facts, state: { ...facts.state, screen } };
    };
    await attend(town, needy.map(withScreen), modeWork);
  };

  const settled = async (): Promise<void> => {
    while (busy.size > 0) await Promise.all(busy.values());
  };

  return {
    verdicts,
    get server() {
      return around.server;
    },
    touch(touched) {
      const concerned = [...known].filter(([id, one]) => concerns(touched, id, one)).map(([id]) => id);
      for (const id of concerned) dirty.add(id);
      return concerned.length > 0;
    },
    reconfigure(changed) {
      town = changed;
      known.clear();
      quietUntil = Number.NEGATIVE_INFINITY;
    },
    async round() {
      const before = around;
      around = await lookAround(town);
      for (const [id, { facts }] of known) {
        if (isNews(before, around, facts.record?.pane_id ?? null)) dirty.add(id);
      }
      const jumpMs = clock.check();
      if (dirty.size === 0 && jumpMs === null && town.clock() < quietUntil) {
        await attendTo();
        return Number.isFinite(quietUntil) ? quietUntil : null;
      }
      reread();
      await attendTo();
      const { judged, notices, next } = await judgeAll(jumpMs);
      for (const { reason, about } of notices) note(town, `notice.${about}`, reason, { by: 'deacon' });
      for (const { agent, judgement } of judged) {
        if (!agent || agent.busy) continue;
        verdicts.set(agent.agent_id, judgement.verdict);
        if (isActionable(judgement)) start(agent, judgement);
      }
      const rests = [...restUntil.values()].filter((at) => at > town.clock());
      const due = earliest(next, rests.length === 0 ? null : Math.min(...rests));
      quietUntil = due ?? Number.POSITIVE_INFINITY;
      return due;
    },
    settled,
    async close() {
      await settled();
      await modeWork.close();
    },
  };
}

function concerns(touched: Touched, agentId: string, { facts }: Known): boolean {
  if (touched.kind === 'everyone') return true;
  if (touched.kind === 'nobody') return false;
  if (touched.kind === 'session') return facts.record !== null && modeSessionOf(facts.record) === touched.id;
  if (touched.kind !== 'bead' && agentId === touched.id) return true;
  const { hook } = facts.state;
  return touched.kind !== 'agent' && hook.kind === 'ok' && hook.value.work_item?.bead_id === touched.id;
}

const wantsLook = (judged: Judgement): boolean => judged.effects.some((effect: Effect) => effect.kind === 'look');

const isActionable = (judged: Judgement): boolean =>
  judged.ladder !== null || judged.ledger !== null || judged.effects.some((effect) => effect.kind !== 'look');

const earliest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);

/** Everything an agent may be owed shows in its facts; whoever is owed nothing is left in peace. */
function needsAttention(facts: AgentFacts): boolean {
  const { record, nudge, state } = facts;
  if (record === null) return false;
  if (needsService(facts)) return true;
  const beat = state.heartbeat.tool?.at ?? 0;
  const written =
    state.hook.kind === 'ok' ? (parseTime(state.hook.value.last_activity) ?? 0) : Number.POSITIVE_INFINITY;
  const isPending = state.hook.kind === 'ok' && state.hook.value.status === 'pending';
  return (
    beat > written ||
    record.ready_at === null ||
    (record.start_text !== null && record.start_receipt === null) ||
    nudge?.delivery?.kind === 'queued' ||
    (isPending && record.fallback_at === null)
  );
}
