/** What must hold whatever happens (issue: "What it must reach"), checked on the world's truth and its own clock. */
import type { Effect, Judgement } from '../../../src/domain/patrol/facts.ts';
import type { World } from './world.ts';

const slackMs = 3_500;
const never = Number.NEGATIVE_INFINITY;

export class Oracle {
  violation: string | null = null;
  readonly counts = { nudges: 0, restarts: 0, escalations: 0, starts: 0, jumps: 0 };
  readonly world: World;
  private restartsOfBead = 0;
  private bead = 1;
  private lastRestart = never;
  private starts: number[] = [];
  private loops = 0;
  /** Since the last activity, reset or new assignment. */
  private escalated = false;
  private lastStep = never;
  private floorAt = never;
  private downSince: number | null = null;
  private upSince = 0;
  private resetAt = never;

  constructor(world: World) {
    this.world = world;
  }

  nudge(type: string): void {
    this.counts.nudges += 1;
    this.mayAct('nudged');
    if (type !== 'sync_request') {
      if (!this.world.alive) this.fail('nudged a dead agent');
      this.mustBeSilent('nudged', this.world.thresholds.stallMs);
      if (this.escalated) this.fail('nudged after the escalation');
    }
    this.lastStep = this.world.mono;
  }

  witness(): void {
    this.mayAct('mailed about');
    if (this.escalated) this.fail('mailed after the escalation');
  }

  restart(): void {
    const { world } = this;
    this.counts.restarts += 1;
    this.mayAct('restarted');
    if (this.escalated) this.fail('restarted after the escalation');
    if (world.hopeless && !world.alive && world.mood === 'crash') this.fail('restarted what no start can help');
    if (world.alive) {
      const { restartMs, neverBeganMs } = world.thresholds;
      this.mustBeSilent('restarted', world.hook === 'pending' ? Math.min(restartMs, neverBeganMs) : restartMs);
    }
    if (world.mono - this.lastRestart < world.thresholds.cooldownMs) this.fail('restarted within the cooldown');
    this.restartsOfBead += 1;
    if (this.restartsOfBead > 3) this.fail(`restart ${this.restartsOfBead} of one bead`);
    this.lastRestart = world.mono;
    this.lastStep = world.mono;
  }

  start(): void {
    const { world } = this;
    this.counts.starts += 1;
    if (world.gate || world.alive || world.hook !== 'empty') this.fail('started what was not to be started');
    if (world.hopeless && world.mood === 'crash') this.fail('started what no start can help');
    const within = this.starts.filter((at) => world.mono - at < 900_000).length;
    if (within >= 5) this.fail('more than five starts within 15 minutes');
    if (world.mono - (this.starts.at(-1) ?? never) < 30_000) this.fail('started without back-off');
    this.starts.push(world.mono);
  }

  escalation(kind: string, message: string): void {
    this.counts.escalations += 1;
    if (kind === 'crash_loop') {
      this.loops += 1;
      if (this.loops > 1) this.fail('told of one crash loop twice');
    }
    if (kind === 'cannot_run') this.escalated = true;
    if (kind !== 'human_escalation') return;
    this.mayAct('escalated');
    if (this.escalated) this.fail('a second escalation of one episode');
    if (this.restartsOfBead < 3) this.fail(`escalated after ${this.restartsOfBead} restarts`);
    if (!/^HUMAN_ESCALATION: gt-\d+ has stalled 3 times\./.test(message)) this.fail(`payload: ${message}`);
    this.escalated = true;
  }

  judged(judged: Judgement): void {
    // An exit with a meaning is escalated under another name; it latches alike.
    for (const effect of judged.effects) {
      if (effect.kind === 'escalate' && effect.escalation.kind === 'cannot_run') this.lastStep = this.world.mono;
    }
    if (judged.verdict.state === 'escalated') this.lastStep = this.world.mono;
  }

  told(_effect: Effect): void {}

  reset(): void {
    this.restartsOfBead = 0;
    this.escalated = false;
    this.starts = [];
    this.loops = 0;
    this.lastRestart = never;
    this.resetAt = this.world.mono;
  }

  floored(): void {
    this.floorAt = this.world.mono;
    this.counts.jumps += 1;
  }

  /** The deacon has not looked yet; it will find its clock changed. */
  clockMoved(): void {
    this.floorAt = this.world.mono;
  }

  deaconDown(): void {
    this.downSince = this.world.mono;
  }

  deaconUp(): void {
    this.downSince = null;
    this.upSince = this.world.mono;
  }

  /** After each change of the world, before the deacon is woken: is something overdue? */
  watch(): void {
    const { world } = this;
    if (world.bead !== this.bead) {
      this.bead = world.bead;
      this.restartsOfBead = 0;
      this.escalated = false;
    }
    if (this.escalated && (world.activity ?? never) === world.mono) this.escalated = false;
    if (this.downSince !== null || this.escalated || !this.supervised()) return;
    const { stallMs, nudgeMs, restartMs } = world.thresholds;
    const since = Math.max(
      this.truth(),
      // A dialog that is gone is looked for again half a minute after the jump.
      this.floorAt + 31_000,
      world.unseenUntil,
      this.resetAt,
      // A stamp of a clock that was set back since becomes believable when the clock comes by it again.
      ...[world.assignedStamp, world.startedStamp, world.activityStamp ?? never, world.banner]
        .map((stamp) => stamp - world.offset)
        .filter((mono) => mono <= world.mono),
      world.screenExcusedUntil + 31_000,
      world.wall() < world.banner ? Number.POSITIVE_INFINITY : never,
    );
    const seen = Math.max(since, this.upSince);
    const { mono } = world;
    if (world.alive) {
      if (mono - seen > stallMs + slackMs && this.lastStep < this.truth()) {
        this.fail(`silent for ${Math.round((mono - since) / 1000)} s and nothing was done`);
      }
      // After the first step there is one each interval, an answer at most doubles it; the restart comes on time.
      const latest = Math.max(this.lastStep, this.upSince, since) + 2.3 * nudgeMs + slackMs + stallMs;
      if (mono > latest) this.fail(`the ladder stopped ${Math.round((mono - latest) / 1000)} s ago`);
      const restartBy = Math.max(seen + restartMs, this.lastRestart + restartMs) + 5 * nudgeMs + slackMs;
      if (mono > restartBy) this.fail('neither restarted nor escalated');
    } else if (mono - Math.max(seen, world.diedAt, this.lastRestart) > 200_000 && this.lastStep < mono - 200_000) {
      this.fail('dead with work and nothing was done');
    }
  }

  private supervised(): boolean {
    const { world } = this;
    if (world.hook !== 'pending' && world.hook !== 'active') return false;
    if (world.gate || world.probeUnknown) return false;
    return world.mood === 'silent' || world.mood === 'crash';
  }

  private mayAct(did: string): void {
    const { world } = this;
    if (world.gate) this.fail(`${did} behind an open gate`);
    if (world.probeUnknown) this.fail(`${did} an agent nobody could see`);
    if (world.hook === 'empty' || world.hook === 'completed') this.fail(`${did} an agent without work`);
    if (!world.alive) return;
    if (world.mood === 'asks') this.fail(`${did} an agent that asks`);
    if (world.mood === 'dialog') this.fail(`${did} an agent that shows a dialog`);
    if (world.mood === 'tool') this.fail(`${did} an agent whose tool runs`);
    if (world.mood === 'limited' && (!world.limitKnown || world.wall() < world.banner)) {
      this.fail(`${did} an agent at its usage limit`);
    }
  }

  private mustBeSilent(did: string, ms: number): void {
    const silent = this.world.mono - this.truth();
    if (silent <= ms) this.fail(`${did} a healthy agent, silent for ${Math.round(silent / 1000)} s`);
  }

  /** Since when it is silent, in truth. */
  private truth(): number {
    const { world } = this;
    return Math.max(world.activity ?? never, world.assigned, world.started, world.excusedUntil);
  }

  private fail(what: string): void {
    this.violation ??= `${what} (at ${Math.round(this.world.mono / 1000)} s)`;
  }
}
