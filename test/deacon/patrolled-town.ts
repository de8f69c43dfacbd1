/** A real town of simulated agents with a deacon in this process: what is asserted is on disk and in the panes. */
import type { JournalEntry, Ledger } from '../../src/domain/records.ts';
import { openTown, type Town } from '../../src/town/context.ts';
import { deaconStatus } from '../../src/town/deacon/control.ts';
import { runDeacon } from '../../src/town/deacon/run.ts';
import { type ScratchTown, type ScratchWish, scratchTown } from '../support/town.ts';

export interface PatrolledTown {
  scratch: ScratchTown;
  town: Town;
  /** Starts the deacon; ends with the test at the latest. */
  patrol(): Deacon;
  journal(kind: string): JournalEntry[];
  ledger(beadId: string): Ledger | null;
  /** Waits until `ask` answers something; throws with what the journal says when it never does. */
  until<T>(what: string, ask: () => T | null | undefined | false, limitMs?: number): Promise<T>;
  stop(): Promise<void>;
}

export interface Deacon {
  lines: string[];
  end(): Promise<void>;
}

/** Its lease must be taken, and then free again: whoever comes before that is refused, and rightly. */
async function until(ask: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 20_000; !ask(); await new Promise((done) => setTimeout(done, 20))) {
    if (performance.now() > deadline) throw new Error("the deacon of the town's own window neither came nor went");
  }
}

export async function patrolledTown(scale: number, wish: ScratchWish = {}): Promise<PatrolledTown> {
  const scratch = scratchTown({ ...wish, env: { GASTOWN_TIME_SCALE: String(scale), ...wish.env } });
  const up = await scratch.run(['up', '--detach'], { timeoutMs: 60_000 });
  if (up.code !== 0) throw new Error(`up: ${up.err}`);
  const town = await openTown({ cwd: scratch.root, env: scratch.env });
  // The deacon of the town's own window is not the one under test.
  await until(() => deaconStatus(town).running === true);
  await town.tmux.run(['kill-pane', '-t', '=town:deacon']);
  await until(() => deaconStatus(town).running === false);
  const deacons: Deacon[] = [];
  const journalAll = (): JournalEntry[] => town.store.journal.tail(2_000).entries;
  return {
    scratch,
    town,
    patrol() {
      const ending = new AbortController();
      const lines: string[] = [];
      const running = runDeacon(town, { signal: ending.signal, onLine: (line) => lines.push(line) });
      running.catch((error: unknown) => lines.push(`ended: ${String(error)}`));
      const deacon = {
        lines,
        async end() {
          ending.abort();
          await running;
        },
      };
      deacons.push(deacon);
      return deacon;
    },
    journal: (kind) => journalAll().filter((entry) => entry.kind === kind),
    ledger(beadId) {
      const read = town.store.ledgers.read(beadId);
      return read.kind === 'ok' ? read.value : null;
    },
    async until(what, ask, limitMs = 25_000) {
      for (const deadline = performance.now() + limitMs; performance.now() < deadline; ) {
        const answer = ask();
        if (answer !== null && answer !== undefined && answer !== false) return answer;
        await new Promise((done) => setTimeout(done, 40));
      }
      const told = journalAll().map(({ at, kind, message }) => `${at.slice(17)} ${kind} ${message}`);
      throw new Error(`not seen: ${what}\n${told.join('\n')}\n${deacons.flatMap(({ lines }) => lines).join('\n')}`);
    },
    async stop() {
      for (const deacon of deacons) await deacon.end().catch(() => {});
      await scratch.stop();
    },
  };
}
