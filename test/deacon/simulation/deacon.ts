/**
 * A deacon around the real patrol: it wakes late, may die before and after every step, and keeps between two lives only
 * what it had saved, through the records of the disk.
 */
import {
  type AgentLedger,
  agentLedgerFromRecord,
  agentLedgerToRecord,
  newAgentLedger,
  resetAgentLedger,
} from '../../../src/domain/agent-ledger.ts';
import { standardPace } from '../../../src/domain/backoff.ts';
import { type Ladder, ladderFromRecord, ladderToRecord, resetLadder } from '../../../src/domain/ladder.ts';
import type { AgentFacts, Effect, PatrolFacts } from '../../../src/domain/patrol/facts.ts';
import { patrol } from '../../../src/domain/patrol.ts';
import type { ScreenReading } from '../../../src/domain/screen.ts';
import type { Oracle } from './oracle.ts';
import type { World } from './world.ts';

const agentId = 'polecat-alpha';
/** Away for so long: a deacon does not know what it missed and gives every agent its full time again. */
const absenceMs = 60_000;
const jumpMs = 30_000;

/** Thrown where the deacon dies; no error, so that it costs nothing. */
const death = Symbol('death');

export class Deacon {
  readonly world: World;
  readonly oracle: Oracle;
  alive = true;
  wakeAt = 0;
  /** On disk. */
  ladders = new Map<number, Ladder>();
  ledger: AgentLedger = newAgentLedger(agentId);
  nudgeFile: string | null = null;
  escalations = new Set<string>();
  lastTick: { wall: number; mono: number } | null = null;
  floorAt = 0;
  seenSince: number;
  /** Chance of dying at each single step. */
  private frailty: number;

  constructor(world: World, oracle: Oracle) {
    this.world = world;
    this.oracle = oracle;
    this.seenSince = world.wall();
    this.frailty = world.random.pick([0, 0, 0.02, 0.2]);
  }

  kill(): void {
    if (!this.alive) return;
    this.alive = false;
    this.oracle.deaconDown();
    this.wakeAt = this.world.mono + this.world.random.between(100, this.world.random.pick([5_000, 50_000, 3_600_000]));
    this.ledger = agentLedgerFromRecord(agentLedgerToRecord(this.ledger));
    for (const [bead, ladder] of this.ladders) this.ladders.set(bead, ladderFromRecord(ladderToRecord(ladder)));
  }

  /** The operator's `gastown reset`. */
  reset(): void {
    const ladder = this.ladders.get(this.world.bead);
    if (ladder) this.ladders.set(this.world.bead, resetLadder(ladder));
    this.ledger = resetAgentLedger(this.ledger);
    this.oracle.reset();
  }

  changed(): void {
    if (this.alive) this.wakeAt = Math.min(this.wakeAt, this.world.mono + this.world.random.between(50, 1_000));
  }

  wake(): void {
    const { world } = this;
    if (!this.alive) this.revive();
    try {
      for (let looks = 0; looks < 3; looks += 1) if (!this.tick(looks > 0 ? this.screen() : null)) return;
      this.wakeAt = world.mono + 1_000;
    } catch (error) {
      if (error !== death) throw error;
      this.kill();
    }
  }

  private revive(): void {
    this.alive = true;
    const { mono } = this.world;
    this.seenSince = this.world.wall();
    const awayMs = this.lastTick === null ? 0 : mono - this.lastTick.mono;
    if (awayMs >= absenceMs) this.floor();
    this.oracle.deaconUp();
  }

  private floor(): void {
    this.floorAt = this.world.wall();
    this.seenSince = this.floorAt;
    this.oracle.floored();
  }

  private tick(screen: ScreenReading | null): boolean {
    const { world } = this;
    const now = world.wall();
    const driftMs = this.lastTick === null ? 0 : now - this.lastTick.wall - (world.mono - this.lastTick.mono);
    const jumped = Math.abs(driftMs) > jumpMs;
    if (jumped) this.floor();
    this.lastTick = { wall: now, mono: world.mono };

    const facts: PatrolFacts = {
      agents: [this.facts(screen)],
      pace: standardPace,
      floorAt: this.floorAt,
      seenSince: this.seenSince,
      clockJumpMs: jumped ? driftMs : null,
    };
    const { judgements, nextDeadline } = patrol(facts, now);
    this.wakeAt = nextDeadline === null ? Number.POSITIVE_INFINITY : world.mono + Math.max(0, nextDeadline - now);
    this.wakeAt += world.random.between(0, 300);
    const judged = judgements[0];
    if (!judged) return false;
    if (judged.ladder) this.ladders.set(world.bead, judged.ladder);
    this.mayDie();
    if (judged.ledger) this.ledger = judged.ledger;
    if (this.ledger.exempt !== null && (world.gate || world.mood === 'asks')) world.isExcuseSeen = true;
    this.oracle.judged(judged);
    let again = false;
    for (const effect of judged.effects) {
      this.mayDie();
      if (this.carryOut(effect)) again = true;
    }
    return again;
  }

  /** The order of every step: intended on disk (done by now), carried out, committed to disk. */
  private carryOut(effect: Effect): boolean {
    const { world, oracle } = this;
    switch (effect.kind) {
      case 'look':
        return true;
      case 'nudge':
        this.nudgeFile = effect.nudge_id;
        oracle.nudge(effect.type);
        world.nudged(effect.nudge_id);
        this.mayDie();
        this.commit((ladder) => ({
          ...ladder,
          nudges: ladder.nudges.map((mark) =>
            mark.nudge_id === effect.nudge_id ? { ...mark, receipt: 'verified' } : mark,
          ),
        }));
        return false;
      case 'restart':
        oracle.restart();
        world.restarted();
        this.mayDie();
        this.commit((ladder) => ({
          ...ladder,
          restarts: ladder.restarts.map((mark) => (mark.n === effect.n ? { ...mark, outcome: 'done' } : mark)),
        }));
        return true;
      case 'start':
        oracle.start();
        world.restarted();
        this.mayDie();
        return true;
      case 'escalate':
        if (!this.escalations.has(effect.escalation.escalation_id)) {
          this.escalations.add(effect.escalation.escalation_id);
          oracle.escalation(effect.escalation.kind, effect.escalation.message);
        }
        this.mayDie();
        if (effect.bead_id) this.commit((ladder) => ({ ...ladder, escalationOpened: true }));
        return false;
      case 'witness':
        oracle.witness();
        return false;
      default:
        oracle.told(effect);
        return false;
    }
  }

  private commit(change: (ladder: Ladder) => Ladder): void {
    const ladder = this.ladders.get(this.world.bead);
    if (ladder) this.ladders.set(this.world.bead, change(ladder));
  }

  private mayDie(): void {
    if (this.frailty > 0 && this.world.random.chance(this.frailty)) throw death;
  }

  private screen(): ScreenReading {
    const { world } = this;
    if (world.mood === 'dialog') return { kind: 'dialog', dialog: 'permission', hint: 'allow?' };
    if (world.mood === 'limited') {
      return { kind: 'limited', until: world.limitKnown ? world.banner : null, line: 'usage limit reached' };
    }
    return world.mood === 'works' ? { kind: 'busy', draft: '' } : { kind: 'ready', draft: '' };
  }

  private facts(screen: ScreenReading | null): AgentFacts {
    const { world } = this;
    const status = world.hook;
    return {
      agent_id: agentId,
      runtime: 'claude',
      strategy: 'hook_injection',
      hook:
        status === 'empty'
          ? { kind: 'empty' }
          : { kind: 'work', status, bead_id: `gt-${world.bead}`, assignedAt: world.assignedStamp },
      activityAt: world.activityStamp,
      begunAt: null,
      primedAt: null,
      startedAt: world.startedStamp,
      process: world.probeUnknown
        ? { kind: 'unknown', why: 'tmux did not answer' }
        : world.alive
          ? { kind: 'alive' }
          : { kind: 'dead', exit: world.hopeless ? 55 : 1, meaning: world.hopeless ? 'folder not trusted' : null },
      run: world.probeUnknown ? null : `run-${world.run}`,
      session: `session-${world.run}`,
      declared: { status: world.mood === 'asks' ? 'asking' : 'active', note: null, since: 0 },
      openTool: world.mood === 'tool',
      gate: world.gate ? { kind: 'paused', reason: 'lunch' } : null,
      reply: world.reply,
      limit: null,
      screen,
      ladder: this.ladders.get(world.bead) ?? null,
      ledger: this.ledger,
      nudgeFile: this.nudgeFile,
      escalations: [...this.escalations],
      thresholds: world.thresholds,
      idealResponseMs: 30_000,
      unrestartable: null,
      busy: false,
    };
  }
}
