/**
 * The truth about one agent, on a clock that cannot be set (`mono`, ms). What the deacon is shown is made from it, in
 * wall time. The world knows nothing of the patrol's rules.
 */
import type { EffectiveThresholds } from '../../../src/domain/thresholds.ts';
import { Random } from './random.ts';

const s = 1000;
const min = 60 * s;
const hour = 60 * min;

const thresholdSets: readonly [stall: number, nudge: number, restart: number, neverBegan: number][] = [
  [300, 120, 600, 600],
  [120, 120, 600, 300],
  [300, 60, 600, 600],
  [60, 30, 120, 120],
];

export type Mood = 'works' | 'silent' | 'asks' | 'dialog' | 'limited' | 'tool' | 'crash' | 'done';

export class World {
  readonly random: Random;
  readonly thresholds: EffectiveThresholds;
  mono = 0;
  /** wall = mono + offset */
  offset = Date.UTC(2026, 5, 1);
  readonly end: number;

  hook: 'empty' | 'pending' | 'active' | 'completed' = 'pending';
  bead = 1;
  assigned = 0;
  /** Wall time, as it was stamped. */
  assignedStamp: number;
  activity: number | null = null;
  activityStamp: number | null = null;
  alive = true;
  /** An exit code with a meaning: no start can help. */
  hopeless = false;
  run = 1;
  started = 0;
  startedStamp: number;
  mood: Mood = 'silent';
  moodUntil = 0;
  nextActivity = Number.POSITIVE_INFINITY;
  limitUntil: number | null = null;
  limitKnown = false;
  /** What the limit's banner says, in wall time; a clock that is set does not change it. */
  banner = 0;
  gate = false;
  gateFlip: number;
  probeUnknown = false;
  probeFlip: number;
  disturbance: number;
  reply: { nudge_id: string; at: number } | null = null;
  replyAt = Number.POSITIVE_INFINITY;
  replyTo = '';
  resumeAt = Number.POSITIVE_INFINITY;
  diedAt = 0;
  /** How this silence reacts; drawn anew for each. */
  private answers = 0;
  private heedsNudge = 0;
  private heedsRestart = 0;
  private crashesAgain = 0;
  /** The deacon saw the gate or question that is there now, and has that on disk. */
  isExcuseSeen = false;
  /** Ends of what excuses silence: gates and questions; dialogs and limits; probes without an answer. */
  excusedUntil = Number.NEGATIVE_INFINITY;
  screenExcusedUntil = Number.NEGATIVE_INFINITY;
  unseenUntil = Number.NEGATIVE_INFINITY;

  constructor(seed: number) {
    this.random = new Random(seed);
    const [stall, nudge, restart, neverBegan] = this.random.pick(thresholdSets);
    this.thresholds = {
      stallMs: stall * s,
      nudgeMs: nudge * s,
      restartMs: restart * s,
      neverBeganMs: neverBegan * s,
      maxRestarts: 3,
      cooldownMs: 60 * s,
      warnings: [],
    };
    this.end = this.random.between(10 * min, this.random.pick([hour, 3 * hour]));
    this.assignedStamp = this.wall();
    this.startedStamp = this.wall();
    this.gateFlip = this.random.chance(0.3) ? this.random.between(0, hour) : Number.POSITIVE_INFINITY;
    this.probeFlip = this.random.chance(0.15) ? this.random.between(0, hour) : Number.POSITIVE_INFINITY;
    this.disturbance = this.random.chance(0.5) ? this.random.between(0, this.end) : Number.POSITIVE_INFINITY;
    if (this.random.chance(0.1)) this.hook = 'empty';
    this.enter(this.hook === 'empty' ? 'crash' : this.random.pick(['works', 'silent', 'silent', 'crash']));
  }

  wall(): number {
    return this.mono + this.offset;
  }

  /** When the world changes by itself next. */
  nextChange(): number {
    return Math.min(
      this.moodUntil,
      this.nextActivity,
      this.replyAt,
      this.resumeAt,
      this.gateFlip,
      this.probeFlip,
      this.disturbance,
      this.limitUntil ?? Number.POSITIVE_INFINITY,
    );
  }

  /** Lets happen what is due at `mono`; answers a disturbance for the deacon's model to take part in. */
  step(): 'kill' | 'reset' | null {
    const { random, mono } = this;
    if (this.limitUntil !== null && mono >= this.limitUntil) this.endMood();
    if (mono >= this.nextActivity) this.act();
    if (mono >= this.replyAt) {
      this.reply = { nudge_id: this.replyTo, at: this.wall() };
      this.replyAt = Number.POSITIVE_INFINITY;
    }
    if (mono >= this.resumeAt) this.enter('works');
    if (mono >= this.moodUntil) this.endMood();
    if (mono >= this.gateFlip) {
      this.gate = !this.gate;
      if (!this.gate) this.endExcuse();
      this.gateFlip = mono + (this.gate || random.chance(0.3) ? random.between(s, 40 * min) : Number.POSITIVE_INFINITY);
    }
    if (mono >= this.probeFlip) {
      this.probeUnknown = !this.probeUnknown;
      if (!this.probeUnknown) this.unseenUntil = mono;
      this.probeFlip = this.probeUnknown ? mono + random.between(s, 20 * min) : Number.POSITIVE_INFINITY;
    }
    if (mono < this.disturbance) return null;
    this.disturbance = random.chance(0.4) ? mono + random.between(s, hour) : Number.POSITIVE_INFINITY;
    const what = random.next();
    if (what < 0.2) this.offset += random.between(10 * min, 9 * hour);
    else if (what < 0.4) this.offset -= random.between(10 * min, 9 * hour);
    else if (what < 0.5) return 'reset';
    else return 'kill';
    return null;
  }

  nudged(nudgeId: string): void {
    if (this.mood !== 'silent' || !this.alive) return;
    if (this.random.chance(this.answers)) {
      this.replyAt = this.mono + this.random.between(s, this.thresholds.nudgeMs * 1.2);
      this.replyTo = nudgeId;
    }
    if (this.random.chance(this.heedsNudge)) this.resumeAt = this.mono + this.random.between(s, 150 * s);
  }

  restarted(): void {
    this.run += 1;
    this.started = this.mono;
    this.startedStamp = this.wall();
    this.alive = true;
    if (this.mood === 'crash') {
      if (this.random.chance(this.crashesAgain)) this.moodUntil = this.mono + this.random.between(100, 5 * s);
      else this.enter('works');
    } else if (this.random.chance(this.heedsRestart)) {
      this.resumeAt = this.mono + this.random.between(s, 90 * s);
    }
  }

  /** The same bead given out anew, after a clear by force. */
  reassign(): void {
    this.hook = 'pending';
    this.assigned = this.mono;
    this.assignedStamp = this.wall();
  }

  /** A gate or question that came and went while no deacon looked excuses nothing. */
  private endExcuse(): void {
    if (this.isExcuseSeen) this.excusedUntil = this.mono;
    this.isExcuseSeen = false;
  }

  private act(): void {
    if (this.hook === 'pending') this.hook = 'active';
    this.activity = this.mono;
    this.activityStamp = this.wall();
    this.nextActivity =
      this.mood === 'works'
        ? this.mono + this.random.between(s, this.thresholds.stallMs * 0.95)
        : Number.POSITIVE_INFINITY;
  }

  private endMood(): void {
    const { random } = this;
    if (this.mood === 'crash') {
      // Its time is over: the program, if it was started again, ends once more.
      if (this.alive && random.chance(this.crashesAgain)) this.die();
      else if (this.alive) this.enter('works');
      else this.moodUntil = Number.POSITIVE_INFINITY;
      return;
    }
    if (this.mood === 'asks') this.endExcuse();
    if (this.mood === 'dialog' || this.mood === 'limited') this.screenExcusedUntil = this.mono;
    this.limitUntil = null;
    if (this.mood === 'tool') {
      this.enter(random.chance(0.5) ? 'works' : 'silent', true);
      return;
    }
    if (this.mood === 'done') {
      this.bead += 1;
      this.reassign();
      this.enter(random.pick(['works', 'silent']));
      return;
    }
    this.enter(
      random.pick(['works', 'works', 'silent', 'silent', 'asks', 'dialog', 'limited', 'tool', 'crash', 'done']),
    );
  }

  private enter(mood: Mood, acts = false): void {
    const { random, mono } = this;
    this.mood = mood;
    this.nextActivity = Number.POSITIVE_INFINITY;
    this.resumeAt = Number.POSITIVE_INFINITY;
    this.replyAt = Number.POSITIVE_INFINITY;
    this.moodUntil = mono + random.between(10 * s, 40 * min);
    if (mood === 'works') this.nextActivity = mono + random.between(0, 20 * s);
    if (mood === 'silent') {
      this.moodUntil = mono + random.between(10 * s, 3 * hour);
      this.answers = random.pick([0, 0, 0.5, 1]);
      this.heedsNudge = random.pick([0, 0, 0.3, 1]);
      this.heedsRestart = random.pick([0, 0, 0.3, 1]);
    }
    if (mood === 'limited') {
      this.limitKnown = random.chance(0.7);
      this.limitUntil = this.moodUntil;
      // The deacon believes the latest time it was told, also on a clock that was set back since.
      this.banner = Math.max(this.banner, this.limitUntil + this.offset);
      this.moodUntil = Number.POSITIVE_INFINITY;
    }
    if (mood === 'crash') {
      this.crashesAgain = random.pick([0, 0.5, 1, 1]);
      this.hopeless = random.chance(0.1);
      this.die();
    }
    if (mood === 'done') {
      if (this.hook === 'pending' || this.hook === 'active') this.act();
      this.hook = this.hook === 'empty' ? 'empty' : 'completed';
    }
    if (acts || mood === 'tool') this.act();
  }

  private die(): void {
    this.alive = false;
    this.moodUntil = Number.POSITIVE_INFINITY;
    this.diedAt = this.mono;
  }
}
