/**
 * Stops and continues agents' own processes: everything below the pane's runner, never the runner itself (tmux at once
 * continues a stopped pane root), never a process whose pid and start time do not match at this moment.
 */
import type { AgentRecord } from '../../domain/records.ts';
import { processTable, treeOf } from '../../tmux/process.ts';

type Run = Pick<AgentRecord, 'agent_id' | 'pid' | 'pid_started'>;

/** Ids of the agents of which at least one process took the signal. */
export async function signalRuns(runs: readonly Run[], signal: 'SIGSTOP' | 'SIGCONT'): Promise<string[]> {
  const reached = new Set<string>();
  // A process may fork between the look and the signal: a second pass stops what the first one missed.
  for (let pass = 0; pass < (signal === 'SIGSTOP' ? 2 : 1); pass += 1) {
    const table = await processTable();
    for (const run of runs) {
      const runner = table.find((row) => row.pid === run.pid);
      if (!runner || run.pid_started === null || runner.started !== run.pid_started) continue;
      const below = treeOf(table, runner.pid).filter((row) => row.pid !== runner.pid);
      for (const row of below) if (send(row.pid, signal)) reached.add(run.agent_id);
    }
  }
  return [...reached];
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  // The table is milliseconds old, and a pid is not given out again that soon; 1 and ourselves are never ours to stop.
  if (pid <= 1 || pid === process.pid) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
