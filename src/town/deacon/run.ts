/**
 * `gastown deacon`: the one process that acts by itself. It holds the lease, wakes on changes and on the next deadline,
 * and only feeds the patrol and carries out what it says. Code, never a model.
 */
import { errorText, refused } from '../../domain/errors.ts';
import type { Verdict } from '../../domain/patrol/facts.ts';
import { releaseLease, renewLease, takeLease } from '../../store/lease.ts';
import { watchState } from '../../store/watch.ts';
import { watchedFolders } from '../../store/watched-folders.ts';
import { connectControl } from '../../tmux/control-client.ts';
import { scaled, type Town } from '../context.ts';
import { pruneModes } from '../modes/prune.ts';
import { note } from '../note.ts';
import { isDown } from '../running.ts';
import { sessionsOf } from '../windows.ts';
import { answerStatus } from './answer-status.ts';
import { watchClock } from './clock-watch.ts';
import { finishSessions, pruneHandlers } from './ended-sessions.ts';
import { archiveMail } from './mail.ts';
import { tellNotices } from './notices.ts';
import { watchConfig } from './reload.ts';
import { openRounds, type Rounds } from './rounds.ts';
import { touchedBy } from './touched.ts';

export interface DeaconOptions {
  /** One patrol with everything it asks for, then the end. */
  once?: boolean;
  /** Ends the deacon in order. */
  signal?: AbortSignal;
  /** A line for the deacon's own window: who changed, and why. */
  onLine?: (line: string) => void;
}

/** Between two questions to tmux; it also announces what happens. */
const panesSeconds = 2;
/** Between two renewals of the lease. */
const leaseSeconds = 15;
const housekeepingSeconds = 600;
/** Changes that come together are looked at together. */
const gatherMs = 30;

/**
 * Runs until `signal`, until the town goes down, or until the lease is somebody else's; `once`: one patrol. Throws exit 5
 * when another deacon runs, exit 3 when the town is down.
 */
export async function runDeacon(
  town: Town,
  { once = false, signal, onLine = () => {} }: DeaconOptions = {},
): Promise<void> {
  if (await isDown(town)) throw refused('the town is down', 'start it: gastown up');
  const before = town.store.lease.read();
  await takeLease(town.store, town.clock());
  const clock = watchClock(town, before.kind === 'ok' ? before.value : null, once);
  const bell = newBell();
  try {
    if (once) {
      const rounds = await openRounds(town, clock, bell.ring);
      await patrolOnce(rounds);
      report(rounds, new Map(), onLine);
      await renewLease(town.store, town.clock(), clock.forLease());
      return;
    }
    await keepPatrolling(town, clock, bell, { signal: signal ?? new AbortController().signal, onLine });
  } finally {
    await releaseLease(town.store);
  }
}

/** A restart or a start calls for a second look; a script wants to see the end of it. */
async function patrolOnce(rounds: Rounds): Promise<void> {
  await rounds.round();
  await rounds.settled();
}

async function keepPatrolling(
  opened: Town,
  clock: ReturnType<typeof watchClock>,
  bell: Bell,
  { signal, onLine }: Required<Pick<DeaconOptions, 'signal' | 'onLine'>>,
): Promise<void> {
  const tmux = await connectControl(opened.tmux.socket, {
    anchor: sessionsOf(opened).anchor,
    onNotification: (name) => {
      if (/^(window-|unlinked-window|layout-change|sessions-changed|pane-)/.test(name)) bell.ring();
    },
    onDown: bell.ring,
    onUp: bell.ring,
  });
  let town: Town = { ...opened, tmux };
  const rounds = await openRounds(town, clock, bell.ring);
  const watch = watchState(
    () => watchedFolders(town.store.paths),
    (paths) => {
      const isNews = paths.map((path) => rounds.touch(touchedBy(town, path))).includes(true);
      // Activity only puts things off: the next round is soon enough for it.
      const isActivity = paths.every((path) => path.startsWith(town.store.paths.heartbeatDir));
      if (isNews && !isActivity) bell.ring();
    },
    { onWarning: (text) => note(town, 'deacon.watch', text, { by: 'deacon' }) },
  );
  await town.store.town.update((record) => (record?.deacon_stopped ? { ...record, deacon_stopped: false } : null));
  const reload = watchConfig(town);
  const answering = answerStatus(town);
  const seen = new Map<string, string>();
  const panesMs = Math.min(2_000, Math.max(200, scaled(town, panesSeconds)));
  const leaseMs = Math.max(500, scaled(town, leaseSeconds));
  let renewedAt = Number.NEGATIVE_INFINITY;
  let cleanedAt = Number.NEGATIVE_INFINITY;
  note(town, 'deacon.started', `the deacon patrols ${town.agents.length} agents (process ${process.pid})`, {
    by: 'deacon',
  });
  signal.addEventListener('abort', bell.ring, { once: true });

  try {
    while (!signal.aborted) {
      const started = performance.now();
      const changed = await reload(town);
      if (changed) {
        town = changed;
        rounds.reconfigure(town);
      }
      const due = await rounds.round();
      report(rounds, seen, onLine);
      if (started - renewedAt >= leaseMs) {
        if (!(await renewLease(town.store, town.clock(), clock.forLease()))) {
          throw refused('the lease is not this deacon’s any more', 'another one has taken over');
        }
        renewedAt = started;
      }
      if (rounds.server === 'gone') return;
      await tendHandlers(town);
      if (started - cleanedAt >= Math.max(1_000, scaled(town, housekeepingSeconds))) {
        await archiveMail(town);
        await pruneModes(town);
        await pruneHandlers(town);
        cleanedAt = started;
      }
      const wait = due === null ? panesMs : Math.min(panesMs, Math.max(0, due - town.clock()));
      await bell.wait(wait, started + gatherMs - performance.now());
    }
  } finally {
    await answering.close();
    await watch.close();
    await rounds.close();
    await tmux.close();
    note(town, 'deacon.stopped', 'the deacon has ended', { by: 'deacon' });
  }
}

/** What events left to be done, after the patrol. A failure costs nothing but its own part. */
async function tendHandlers(town: Town): Promise<void> {
  try {
    await finishSessions(town);
    await tellNotices(town);
  } catch (error) {
    note(town, 'handlers.failed', errorText(error), { by: 'deacon' });
  }
}

/** Says who is another than at the last report. */
function report(rounds: Rounds, seen: Map<string, string>, onLine: (line: string) => void): void {
  for (const [id, verdict] of rounds.verdicts) {
    const line = verdictText(verdict);
    if (seen.get(id) === line) continue;
    seen.set(id, line);
    onLine(`${id}: ${line}`);
  }
}

const verdictText = ({ state, bead_id, detail, severity }: Verdict): string =>
  [state, bead_id, severity, detail].filter((word) => word !== null && word !== '').join(' · ');

type Bell = ReturnType<typeof newBell>;

/** Wakes the loop. A ring while nobody waits is not lost. */
function newBell() {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring: (): void => {
      rung = true;
      wake?.();
    },
    /** Until rung or `limitMs`, and never less than `leastMs`. */
    async wait(limitMs: number, leastMs: number): Promise<void> {
      if (leastMs > 0) await new Promise((done) => setTimeout(done, leastMs));
      if (!rung) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, limitMs);
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
      }
      wake = null;
      rung = false;
    },
  };
}
