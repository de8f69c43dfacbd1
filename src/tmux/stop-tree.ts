import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessRow, processTable, treeOf } from './process.ts';

/**
 * Ends a process and everything below it: TERM, up to `graceMs` for an orderly end, KILL, up to 2 s. Nothing is signalled
 * unless pid and start time still match at that moment. Returns who survived; an empty list is proof, not hope.
 */
export async function stopTree(pid: number, started: string, { graceMs = 3_000 } = {}): Promise<ProcessRow[]> {
  const known = new Map<number, ProcessRow>();

  /** Who of the tree still lives: children that lost their parents stay known, new ones are found below the living. */
  const living = async (): Promise<ProcessRow[]> => {
    const table = await processTable();
    const alive = table.filter((row) => known.get(row.pid)?.started === row.started);
    const roots = known.size === 0 ? firstRoots(table, pid, started) : alive;
    for (const root of roots) for (const row of treeOf(table, root.pid)) known.set(row.pid, row);
    // Whoever calls from inside the tree lives to tell.
    known.delete(process.pid);
    return table.filter((row) => known.get(row.pid)?.started === row.started);
  };

  const waitFor = async (limitMs: number): Promise<ProcessRow[]> => {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const left = await living();
      if (left.length === 0 || performance.now() >= deadline) return left;
      await sleep(30);
    }
  };

  for (const row of await living()) {
    signal(row.pid, 'SIGTERM');
    // A stopped process acts on TERM only when it goes on.
    signal(row.pid, 'SIGCONT');
  }
  for (const row of await waitFor(graceMs)) signal(row.pid, 'SIGKILL');
  return waitFor(2_000);
}

/** The process itself; once it has ended, what it left in its session: the kernel does not give that number out again. */
function firstRoots(table: readonly ProcessRow[], pid: number, started: string): ProcessRow[] {
  const root = table.find((row) => row.pid === pid);
  if (root) return root.started === started ? [root] : [];
  return table.filter((row) => row.session === pid);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in between, which is what was wanted.
  }
}
