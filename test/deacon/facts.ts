/** Facts of one agent with active work that was last seen at work at `t0`; everything else is told by the test. */
import { type AgentLedger, newAgentLedger } from '../../src/domain/agent-ledger.ts';
import { standardPace } from '../../src/domain/backoff.ts';
import { type Ladder, newLadder } from '../../src/domain/ladder.ts';
import type { AgentFacts, Effect, Judgement, PatrolFacts } from '../../src/domain/patrol/facts.ts';
import { patrol } from '../../src/domain/patrol.ts';

export const t0 = Date.UTC(2026, 5, 1, 12);
export const s = 1_000;
export const min = 60 * s;

export const bead = 'gt-abc12';

export const agentAt = (more: Partial<AgentFacts> = {}): AgentFacts => ({
  agent_id: 'polecat-alpha',
  runtime: 'codex',
  strategy: 'startup_fallback',
  hook: { kind: 'work', status: 'active', bead_id: bead, assignedAt: t0 },
  activityAt: t0,
  begunAt: null,
  primedAt: null,
  startedAt: t0 - min,
  process: { kind: 'alive' },
  run: 'run-1',
  session: null,
  declared: null,
  openTool: false,
  gate: null,
  reply: null,
  limit: null,
  screen: { kind: 'ready', draft: '' },
  ladder: { ...newLadder(bead, 'polecat-alpha', t0), begunAt: t0, activation: true },
  ledger: newAgentLedger('polecat-alpha'),
  nudgeFile: null,
  escalations: [],
  thresholds: {
    stallMs: 300 * s,
    nudgeMs: 120 * s,
    restartMs: 600 * s,
    neverBeganMs: 600 * s,
    maxRestarts: 3,
    cooldownMs: 60 * s,
    warnings: [],
  },
  idealResponseMs: 60 * s,
  unrestartable: null,
  busy: false,
  ...more,
});

export const townOf = (agents: readonly AgentFacts[], more: Partial<PatrolFacts> = {}): PatrolFacts => ({
  agents,
  pace: standardPace,
  floorAt: 0,
  seenSince: t0 - min,
  clockJumpMs: null,
  ...more,
});

export function judgeAt(now: number, more: Partial<AgentFacts> = {}, town: Partial<PatrolFacts> = {}): Judgement {
  const [judged] = patrol(townOf([agentAt(more)], town), now).judgements;
  if (!judged) throw new Error('no judgement');
  return judged;
}

/** What is done, without samples and looks. */
export const acts = (judged: Judgement): Effect['kind'][] =>
  judged.effects.map(({ kind }) => kind).filter((kind) => !['sample', 'look', 'notice'].includes(kind));

/**
 * One agent through time: patrols when the patrol itself wants to, carries out on paper, and lists what was done when
 * (seconds after `t0`).
 */
export class Paper {
  agent: AgentFacts;
  readonly did: { at: number; kind: string; n?: number; message?: string }[] = [];
  now = t0;

  constructor(more: Partial<AgentFacts> = {}) {
    this.agent = agentAt(more);
  }

  /** Patrols until `until` (ms); `meanwhile` may change the facts before each patrol. */
  run(until: number, meanwhile: (now: number) => void = () => {}): void {
    while (this.now <= until) {
      meanwhile(this.now);
      const { judgements, nextDeadline } = patrol(townOf([this.agent]), this.now);
      for (const judged of judgements) this.carryOut(judged);
      // What was started is looked at again at once, as its change wakes the deacon.
      const isNews = judgements.some((one) => acts(one).some((kind) => kind === 'restart' || kind === 'start'));
      const next = isNews ? this.now + 1 : nextDeadline;
      if (next === null || next > until) break;
      this.now = Math.max(next, this.now + 1);
    }
    this.now = until;
  }

  private carryOut({ ladder, ledger, effects }: Judgement): void {
    if (ladder) this.agent = { ...this.agent, ladder };
    if (ledger) this.agent = { ...this.agent, ledger };
    for (const effect of effects) {
      if (effect.kind === 'sample' || effect.kind === 'look') continue;
      const at = Math.round((this.now - t0) / s);
      if (effect.kind === 'escalate') {
        this.agent = { ...this.agent, escalations: [...this.agent.escalations, effect.escalation.escalation_id] };
        this.commit((now) => ({ ...now, escalationOpened: true }));
        this.did.push({ at, kind: effect.escalation.kind, message: effect.escalation.message });
        continue;
      }
      if (effect.kind === 'restart' || effect.kind === 'start') {
        this.did.push({ at, kind: effect.kind, n: effect.n });
        this.started();
        this.commit((now) => ({
          ...now,
          restarts: now.restarts.map((mark) => ({ ...mark, outcome: 'done' })),
        }));
        continue;
      }
      if (effect.kind === 'nudge') {
        this.agent = { ...this.agent, nudgeFile: effect.nudge_id };
        this.commit((now) => ({ ...now, nudges: now.nudges.map((mark) => ({ ...mark, receipt: 'verified' })) }));
      }
      this.did.push({ at, kind: effect.kind === 'notice' ? effect.about : effect.kind });
    }
  }

  /** What a start of the program changes; tests of crashes end it again. */
  started: () => void = () => {
    this.agent = { ...this.agent, startedAt: this.now, run: `run-${this.now}`, process: { kind: 'alive' } };
  };

  private commit(change: (ladder: Ladder) => Ladder): void {
    const { ladder } = this.agent;
    if (ladder && 'bead_id' in ladder) this.agent = { ...this.agent, ladder: change(ladder) };
  }

  get ledger(): AgentLedger {
    if (!('agent_id' in this.agent.ledger)) throw new Error('no ledger');
    return this.agent.ledger;
  }
}
