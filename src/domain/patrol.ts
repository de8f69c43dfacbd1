/**
 * The patrol: what the deacon does next, from facts alone (decision 6). It finds silent agents with work and says what
 * to do and why; the process around it feeds it and carries out what it says. What it cannot tell it leaves alone.
 */
import { newAgentLedger, rebaseAgentLedger } from './agent-ledger.ts';
import { rebaseLadder } from './ladder.ts';
import { keepLadder, sample, settleRestart } from './patrol/assignment.ts';
import { deadAtRest, deadAtWork, noticeLife } from './patrol/deaths.ts';
import { type Draft, finish, tell, untell, verdict } from './patrol/draft.ts';
import { exemption } from './patrol/exemption.ts';
import type { AgentFacts, Judgement, Patrol, PatrolFacts, Verdict } from './patrol/facts.ts';
import { climb } from './patrol/rungs.ts';
import { readStallClock } from './patrol/stall-clock.ts';

/**
 * Judges every agent at `now` (ms). Save each judgement's `ladder` and `ledger` before carrying out its effects; patrol
 * again at `nextDeadline` at the latest, and after any change.
 */
export function patrol(facts: PatrolFacts, now: number): Patrol {
  const town = { ...facts, resumeAt: lastResume(facts) };
  const judgements: Judgement[] = [];
  let next = Number.POSITIVE_INFINITY;
  for (const agent of facts.agents) {
    const judged = judge(agent, town, now);
    for (const effect of judged.effects) {
      if (effect.kind === 'restart' || effect.kind === 'start') town.brake = (town.brake ?? Infinity) - 1;
    }
    if (judged.ledger?.resumedAt === now) town.resumeAt = now + facts.pace.staggerMs;
    if (judged.deadline < next) next = judged.deadline;
    judgements.push(judged);
  }
  return { judgements, notices: jumpNotice(facts), nextDeadline: Number.isFinite(next) ? next : null };
}

/** Judges one agent; the order of the questions is the order of authority. */
export function judge(agent: AgentFacts, town: PatrolFacts, now: number): Judgement {
  const draft = begin(agent, town, now);
  if (!agent.busy) return finish(draft, decide(draft));
  const said = verdict(draft, 'unknown', 'being acted on');
  return { verdict: said, ladder: null, ledger: null, effects: [], deadline: Number.POSITIVE_INFINITY };
}

function begin(agent: AgentFacts, town: PatrolFacts, now: number): Draft {
  const readable = 'agent_id' in agent.ledger ? rebaseAgentLedger(agent.ledger, now) : newAgentLedger(agent.agent_id);
  const known = agent.ladder && 'bead_id' in agent.ladder ? rebaseLadder(agent.ladder, now) : null;
  // Before the clock is read: a restart that did not happen moved nothing.
  const ladder = known && settleRestart(known, agent.run);
  const clock = readStallClock(agent, town, ladder, readable, now);
  return { agent, town, now, clock, ladder, ledger: readable, effects: [], deadline: Number.POSITIVE_INFINITY };
}

function decide(draft: Draft): Verdict {
  const { agent } = draft;
  if ('unreadable' in agent.ledger) return verdict(draft, 'unknown', `its ledger: ${agent.ledger.unreadable}`);
  if (agent.hook.kind === 'unreadable') {
    tell(draft, 'hook-unreadable', `the hook of ${agent.agent_id} cannot be read: ${agent.hook.why}`);
    return verdict(draft, 'unknown', `hook: ${agent.hook.why}`);
  }
  untell(draft, 'hook-unreadable');
  if (agent.ladder && 'unreadable' in agent.ladder) {
    tell(
      draft,
      'ledger-unreadable',
      `the ledger of ${agent.agent_id}'s bead cannot be read: ${agent.ladder.unreadable}`,
    );
    return verdict(draft, 'unknown', `ledger: ${agent.ladder.unreadable}`);
  }
  untell(draft, 'ledger-unreadable');
  noticeTimes(draft);
  const exempt = exemption(draft);
  if (agent.process.kind === 'unknown') return verdict(draft, 'unknown', agent.process.why);
  countSession(draft);
  if (agent.process.kind === 'stopped') return verdict(draft, 'stopped', '');
  keepLadder(draft, exempt !== null);
  const { hook, process } = agent;
  if (process.kind === 'dead') {
    // A program that has ended asks nothing, shows nothing and runs no tool; gates and limits still hold.
    if (exempt !== null && (exempt.state === 'paused' || exempt.state === 'limited')) return exempt;
    if (hook.kind === 'work' && hook.status !== 'completed' && draft.ladder)
      return deadAtWork(draft, draft.ladder, process);
    return hook.kind === 'empty' ? deadAtRest(draft, process) : verdict(draft, 'done', '');
  }
  noticeLife(draft);
  if (hook.kind === 'empty') return verdict(draft, 'idle', '');
  if (hook.status === 'completed') return verdict(draft, 'done', '');
  if (exempt !== null) return exempt;
  if (draft.ladder === null) return verdict(draft, 'unknown', 'no ledger');
  return climb(draft, draft.ladder, hook.status);
}

function noticeTimes(draft: Draft): void {
  const { agent_id } = draft.agent;
  if (draft.clock.future) tell(draft, 'future-time', `a time of ${agent_id} lies in the future: not believed`);
  else untell(draft, 'future-time');
}

function countSession(draft: Draft): void {
  const { session } = draft.agent;
  if (session === null || session === draft.ledger.session) return;
  sample(draft, { metric: 'session', session });
  draft.ledger = { ...draft.ledger, session };
}

const lastResume = (facts: PatrolFacts): number =>
  facts.agents.reduce((latest, { ledger }) => {
    const at = 'agent_id' in ledger ? ledger.resumedAt : null;
    return at === null ? latest : Math.max(latest, at + facts.pace.staggerMs);
  }, 0);

function jumpNotice({ clockJumpMs }: PatrolFacts): Patrol['notices'] {
  if (clockJumpMs === null) return [];
  const seconds = Math.round(Math.abs(clockJumpMs) / 1000);
  const reason =
    clockJumpMs > 0
      ? `the clock went ${seconds} s ahead (sleep, or set): every agent gets its full time again`
      : `the clock was set back by ${seconds} s: every agent gets its full time again`;
  return [{ kind: 'notice', about: 'clock-jump', agent_id: 'town', bead_id: null, reason }];
}
